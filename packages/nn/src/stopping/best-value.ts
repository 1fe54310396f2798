/** Which of a row of values was the best, and for how long none was better. Early stopping and plateaus share it. */
import { expectOneOf } from '@flowgrad/tensor';
import { expectExtents, expectNumber } from '../options.ts';

/** Which way a value is better, and for how long to wait for a better one. */
export interface PatienceOptions {
  /** Which way is better: 'lower' for a loss, 'higher' for an accuracy. */
  readonly better: 'lower' | 'higher';
  /** After how many values in a row without improvement it is enough, at least 1. */
  readonly patience: number;
  /** By how much more than nothing a value has to be better to count: 0 unless given. */
  readonly minDelta?: number;
}

/** A value and the epoch it is of. */
export interface BestValue {
  /** 0 for the first value. */
  readonly epoch: number;
  readonly value: number;
}

/** Keeps the best of a row of values. */
export interface Watch {
  /** Takes the value of the next epoch; whether it is the best so far. */
  observe(this: void, value: number): boolean;
  /** Undefined before the first value. */
  readonly best: BestValue | undefined;
  /** How many values came since the best, or since `restart`. */
  readonly waited: number;
  restart(this: void): void;
}

/** Value v improves on the best b if v < b − δ, or v > b + δ where higher is better. */
export function watchBest(where: string, options: PatienceOptions): Watch {
  const { better, patience, minDelta = 0 } = options;
  expectOneOf(where, 'better', better, ['lower', 'higher']);
  expectExtents(where, { patience });
  const isDelta = Number.isFinite(minDelta) && minDelta >= 0;
  expectNumber(where, 'minDelta', minDelta, 'a finite number ≥ 0', isDelta);
  const sign = better === 'lower' ? -1 : 1;
  let [best, epochs, waited]: [BestValue | undefined, number, number] = [undefined, 0, 0];
  const observe = (value: number): boolean => {
    expectNumber(where, 'the value observed', value, 'a number', typeof value === 'number' && !isNaN(value));
    const improved = best === undefined || sign * (value - best.value) > minDelta;
    if (improved) best = { epoch: epochs, value };
    waited = improved ? 0 : waited + 1;
    epochs += 1;
    return improved;
  };
  return {
    observe,
    get best() {
      return best;
    },
    get waited() {
      return waited;
    },
    restart: () => {
      waited = 0;
    },
  };
}
