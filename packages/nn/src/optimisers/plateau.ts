import { rejectUnknownOptions } from '@flowgrad/tensor';
import { expectNumber } from '../options.ts';
import { watchBest } from '../stopping/best-value.ts';
import type { PatienceOptions } from '../stopping/best-value.ts';
import { expectRate } from './rate.ts';
import type { Progress } from './rate.ts';

/** What `schedules.plateau` takes. */
export interface PlateauOptions extends PatienceOptions {
  /** The rate to start from. */
  readonly rate: number;
  /** What the rate is multiplied by, in 0 < factor < 1: 0.1 unless given. */
  readonly factor?: number;
  /** The rate does not fall below this: 0 unless given. */
  readonly minRate?: number;
}

/** A schedule that is told how training goes. */
export interface PlateauSchedule {
  (this: void, progress: Progress): number;
  /** Takes the value of the next epoch; whether it is the best so far. */
  observe(this: void, value: number): boolean;
}

/**
 * Lowers the rate when a value that the caller observes has not improved `patience` times in a row:
 *
 *   η ← max(factor·η, minRate)
 *
 * and waits as long again. A run that goes on from a checkpoint observes the values of its earlier epochs again.
 */
export function plateau(options: PlateauOptions): PlateauSchedule {
  const where = 'schedules.plateau';
  rejectUnknownOptions(where, options, ['rate', 'better', 'patience', 'minDelta', 'factor', 'minRate']);
  const { factor = 0.1, minRate = 0, patience } = options;
  let { rate } = options;
  expectRate(where, 'rate', rate);
  expectNumber(where, 'factor', factor, 'in 0 < factor < 1', factor > 0 && factor < 1);
  expectRate(where, 'minRate', minRate);
  expectNumber(where, 'minRate', minRate, `at most the rate ${rate}`, minRate <= rate);
  const watch = watchBest(where, options);
  const observe = (value: number): boolean => {
    const improved = watch.observe(value);
    if (watch.waited >= patience) {
      rate = Math.max(factor * rate, minRate);
      watch.restart();
    }
    return improved;
  };
  return Object.assign(() => rate, { observe });
}
