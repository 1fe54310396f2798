/** What an experiment shows: a line for each run under way on a terminal, plain lines of what happened elsewhere. */
import type { Output, Surroundings } from '../command.ts';
import { runTitle } from '../runs/train-with-progress.ts';
import { formatDuration } from '../terminal/duration.ts';
import { createLiveLines } from '../terminal/live-lines.ts';
import { secondsLeft } from './supervise.ts';
import type { ActiveRun, SupervisorEvent } from './supervise.ts';

interface ViewOptions {
  readonly json: boolean;
  /** Runs of the experiment; a worker of a sweep does not count them. */
  readonly total?: number;
  /** Done before this began. */
  readonly finished?: number;
}

interface View {
  show(this: void, event: SupervisorEvent): void;
  end(this: void): void;
}

export function progressView({ stdout, stderr }: Surroundings, options: ViewOptions): View {
  return options.json ? jsonView(stdout) : peopleView(stderr, options);
}

function jsonView(stdout: Output): View {
  const show = (event: SupervisorEvent): void => {
    if (event.kind === 'progress') return;
    const { run, ...rest } = event;
    stdout.write(`${JSON.stringify({ ...rest, folder: run.folder })}\n`);
  };
  return { show, end: () => undefined };
}

function peopleView(stderr: Output, { total, finished = 0 }: ViewOptions): View {
  const live = createLiveLines(stderr);
  let done = finished;
  if (finished > 0) live.above(`${finished} of ${total} runs were done before.`);
  // Seconds, where a store is made for them.
  if (total !== undefined && total > done) live.show([`${done} of ${total} done, opening their store`]);
  const show = (event: SupervisorEvent): void => {
    switch (event.kind) {
      case 'started':
        if (!stderr.isTTY)
          live.above(`started: ${runTitle(event.run.config)}, ${threadsText(event.threads)}`);
        break;
      case 'done':
        done += 1;
        live.above(
          `done: ${runTitle(event.run.config)}${total === undefined ? '' : ` (${done} of ${total})`}`,
        );
        break;
      case 'failed':
        live.above(`failed: ${runTitle(event.run.config)}: ${event.reason}`);
        break;
      case 'lost':
        live.above(`lost: ${runTitle(event.run.config)}: another worker has it, or it was cancelled`);
        break;
      case 'stopped':
        live.above(`stopped: ${runTitle(event.run.config)}`);
        break;
      case 'progress':
        live.show([
          ...event.active.map(activeLine),
          `${total === undefined ? done : `${done} of ${total}`} done, ${event.waiting} waiting`,
        ]);
    }
  };
  return { show, end: live.end };
}

const threadsText = (threads: number): string => (threads === 1 ? '1 thread' : `${threads} threads`);

function activeLine(run: ActiveRun): string {
  const { config, step, steps, threads } = run;
  if (Number.isNaN(steps)) return `${runTitle(config)}: starting, ${threadsText(threads)}`;
  const left = secondsLeft(run);
  const time = Number.isFinite(left) ? `, ${formatDuration(left)} left` : '';
  return `${((100 * step) / steps).toFixed(0).padStart(3)} %  ${runTitle(config)}, ${threadsText(threads)}${time}`;
}
