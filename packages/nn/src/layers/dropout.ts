import { mul, rejectUnknownOptions, tensor } from '@flowgrad/tensor';
import type { RandomKey, Tensor } from '@flowgrad/tensor';
import { expectKey, expectNumber } from '../options.ts';
import { randomWords } from '../random/random-words.ts';
import { expectTraining } from './training.ts';
import type { Training } from './training.ts';

/** What `createDropout` takes. */
export interface DropoutOptions {
  /** The part of the values that is dropped in training, in 0 ≤ rate < 1. */
  readonly rate: number;
  /** Which values are dropped follows from this key and the step alone. Layers of one key drop alike. */
  readonly key: RandomKey;
}

/** A layer that drops values in training: y = x ⊙ m / (1 − p). It has no parameters. */
export interface Dropout {
  /** Drops in training; gives `x` itself without `training`. x of any shape. */
  apply(this: void, x: Tensor, training?: Training): Tensor;
}

/**
 * Dropout (Srivastava et al., 2014). In training each value is 0 with probability p and else scaled so that its mean stays:
 *
 *   y = x ⊙ m / (1 − p),   m ~ Bernoulli(1 − p), drawn for each step;   in evaluation y = x
 */
export function createDropout(options: DropoutOptions): Dropout {
  const where = 'createDropout';
  rejectUnknownOptions(where, options, ['rate', 'key']);
  const { rate, key } = options;
  expectNumber(where, 'rate', rate, 'in 0 ≤ rate < 1', rate >= 0 && rate < 1);
  expectKey(where, key);
  const apply = (x: Tensor, training?: Training): Tensor => {
    if (training === undefined) return x;
    expectTraining('dropout', training);
    if (rate === 0) return x;
    // The mask is the caller's to free: a tape may keep it, and `recompute` reads it after this returns.
    return mul(x, drawMask(key.child(training.step), x, rate));
  };
  return { apply };
}

/** m / (1 − p). A word is evenly spread over 0 … 2³² − 1, so it is below p·2³² with probability p. */
function drawMask(key: RandomKey, { shape, size }: Tensor, rate: number): Tensor {
  const dropped = rate * 2 ** 32;
  const kept = 1 / (1 - rate);
  const words = randomWords(key, size);
  const mask = new Float32Array(size);
  for (let i = 0; i < size; i++) mask[i] = words[i] < dropped ? 0 : kept;
  return tensor(mask, { shape });
}
