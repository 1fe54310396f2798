/** The longest task on the page's own thread, from a trace of Chromium. */

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * In ms of CPU time. The wall clock would also count what other programs of a busy machine do meanwhile: there a task
 * of 8 ms was seen to take 260.
 */
export function longestTaskOf(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('trace: expected tasks of the page, got none');
  return tasks.reduce((longest, { tdur }) => Math.max(longest, tdur ?? NaN), 0) / 1000;
}
