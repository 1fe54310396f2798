/** What the page's own thread did, from a trace of Chromium. */

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly src_func?: string };
}

/**
 * In ms of CPU time. The wall clock would also count what other programs of a busy machine do meanwhile: there a task
 * of 8 ms was seen to take 260.
 */
export interface PageTasks {
  readonly longest: number;
  /** Each frame: its callbacks, layout and painting. */
  readonly frames: readonly number[];
}

export function pageTasks(trace: Buffer): PageTasks {
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
  // One that is under way when the trace ends has no duration.
  const time = ({ tdur = 0 }: TraceEvent): number => tdur / 1000;
  return {
    longest: tasks.map(time).reduce((a, b) => Math.max(a, b)),
    frames: tasks.filter(({ args }) => args.src_func === 'ScheduledActionSendBeginMainFrame').map(time),
  };
}
