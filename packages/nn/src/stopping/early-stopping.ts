import { rejectUnknownOptions } from '@flowgrad/tensor';
import { watchBest } from './best-value.ts';
import type { BestValue, PatienceOptions } from './best-value.ts';

/** Says when to stop and which epoch was best. It keeps no parameters: save them when `observe` says so. */
export interface EarlyStopping {
  /** Takes the value of the next epoch; whether it is the best so far. */
  observe(this: void, value: number): boolean;
  /** The best epoch, from 0, and its value; undefined before the first. */
  readonly best: BestValue | undefined;
  /** Whether the last `patience` epochs brought nothing better. */
  readonly stop: boolean;
}

/**
 * Early stopping: with the best value b of epoch e so far, stop at epoch t if t − e ≥ patience, where a value v is better
 * than b if v < b − minDelta ('lower'), or v > b + minDelta ('higher'). A run that goes on from a checkpoint observes
 * the values of its earlier epochs again.
 */
export function createEarlyStopping(options: PatienceOptions): EarlyStopping {
  const where = 'createEarlyStopping';
  rejectUnknownOptions(where, options, ['better', 'patience', 'minDelta']);
  const watch = watchBest(where, options);
  return {
    observe: watch.observe,
    get best() {
      return watch.best;
    },
    get stop() {
      return watch.waited >= options.patience;
    },
  };
}
