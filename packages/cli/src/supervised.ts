/** Training processes that an experiment starts, and how it stops them. */
const mark = 'FLOWGRAD_SUPERVISED';

/** For the environment of such a process. */
export const supervised = { [mark]: '1' };
export const stopMessage = 'stop';

export const isSupervised = (): boolean => process.env[mark] === '1' && process.channel !== undefined;

/**
 * Stops when the experiment says so, or when it is gone. Ctrl-C is left to the experiment: a terminal sends it to both,
 * and the experiment decides what becomes of its runs.
 */
export function stopWhenAsked(stop: AbortController): void {
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => stop.abort());
  process.on('message', (message) => {
    if (message === stopMessage) stop.abort();
  });
  process.on('disconnect', () => stop.abort());
  // Listening must not keep the process alive when it is done.
  process.channel?.unref();
}
