/**
 * One call at a time: what is asked while one is under way waits, and only the last of it is done. So a source can be
 * dragged over the map faster than answers come.
 */
export function latest<Argument>(work: (argument: Argument) => Promise<void>): (argument: Argument) => void {
  let isBusy = false;
  let waiting: { readonly argument: Argument } | undefined;
  const run = async (argument: Argument): Promise<void> => {
    isBusy = true;
    try {
      await work(argument);
    } finally {
      isBusy = false;
      const next = waiting;
      waiting = undefined;
      if (next) void run(next.argument);
    }
  };
  return (argument) => {
    if (isBusy) waiting = { argument };
    else void run(argument);
  };
}
