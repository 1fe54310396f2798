/** How far something has come: a bar on a terminal, plain lines elsewhere. */
import type { Output } from '../command.ts';
import { formatDuration } from './duration.ts';

export interface ProgressOptions {
  /** Stands before the bar. */
  readonly label: string;
  readonly total: number;
  /** What was done before, and takes no time now. */
  readonly done?: number;
  /** What is counted, for the speed: `steps`. */
  readonly unit: string;
  /** Milliseconds. */
  readonly now?: () => number;
}

export interface Progress {
  /** `note` stands behind the bar until there is another. */
  update(this: void, done: number, note?: string): void;
  /** A line that stays; on a terminal the bar goes on below it. */
  line(this: void, text: string): void;
  /** Takes the bar away. */
  end(this: void): void;
}

const barWidth = 16;
/** A terminal that is drawn to more often shows nothing more. */
const redrawMilliseconds = 100;
const clear = '\r\x1b[K';

export function createProgress(output: Output, options: ProgressOptions): Progress {
  const { label, total, done: before = 0, unit, now = () => performance.now() } = options;
  const start = now();
  let drawn = -Infinity;
  let done = before;
  let note = '';
  const draw = (): void => {
    drawn = now();
    const text = [`${label} ${bar(done / total)}`, `${done}/${total}`, ...pace(), note].filter(Boolean);
    output.write(`${clear}${text.join('  ').slice(0, output.columns - 1)}`);
  };
  const pace = (): string[] => {
    const seconds = (now() - start) / 1000;
    const speed = (done - before) / seconds;
    if (!(speed > 0) || !Number.isFinite(speed)) return [];
    return [
      `${speed < 10 ? speed.toFixed(1) : speed.toFixed(0)} ${unit}/s`,
      `${formatDuration((total - done) / speed)} left`,
    ];
  };
  return {
    update: (to, text) => {
      done = to;
      note = text ?? note;
      if (output.isTTY && (now() - drawn >= redrawMilliseconds || done === total)) draw();
    },
    line: (text) => {
      output.write(`${output.isTTY ? clear : ''}${text}\n`);
      if (output.isTTY) draw();
    },
    end: () => {
      if (output.isTTY) output.write(clear);
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
}
