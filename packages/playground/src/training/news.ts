/** Gathers what training has to tell and tells it a few times a second: the page need not hear of every step by itself. */
import type { EpochMetrics, TrainingEvent } from '@flowgrad/evaluation';
import type { RunProgress, TrainingNews } from '../protocol/training-protocol.ts';

const tellingEvery = 100;
/** Steps per second are those of the last few seconds. */
const window = 3000;

interface Gathered {
  readonly steps: [number, number][];
  readonly epochs: EpochMetrics[];
}

export interface News {
  add(this: void, run: number, event: TrainingEvent): void;
  /** Tells what there is, if it is time to, or if `now`. */
  tell(this: void, now?: boolean): void;
  /** Time that was not spent training does not count. */
  rest(this: void): void;
}

export function createNews(runs: number, memory: () => number, tell: (news: TrainingNews) => void): News {
  const empty = (): Gathered[] => Array.from({ length: runs }, () => ({ steps: [], epochs: [] }));
  let gathered = empty();
  let toldAt = -Infinity;
  let times: number[] = [];
  return {
    add: (run, event) => {
      if (event.kind === 'epoch') {
        gathered[run].epochs.push(event.metrics);
        return;
      }
      gathered[run].steps.push([event.step, event.loss]);
      if (run === 0) times.push(performance.now());
    },
    tell: (isNow = false) => {
      const now = performance.now();
      const isSomething = gathered.some(({ steps, epochs }) => steps.length + epochs.length > 0);
      if (!isSomething || (!isNow && now - toldAt < tellingEvery)) return;
      toldAt = now;
      times = times.filter((time) => now - time < window);
      const between = times.length > 1 ? times[times.length - 1] - times[0] : 0;
      const stepsPerSecond = between > 0 ? ((times.length - 1) / between) * 1000 : 0;
      const told: RunProgress[] = gathered;
      gathered = empty();
      tell({ kind: 'progress', runs: told, stepsPerSecond, memory: memory() });
    },
    rest: () => {
      times = [];
    },
  };
}
