/** Random tensors. Values are drawn on the host, element i from counter i, so every backend gets the same. */
import { currentBackend } from '../core/backend.ts';
import { rejectUnknownOptions, TensorError } from '../core/errors.ts';
import { checkShape, sizeOf } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';
import { fromValues } from '../create/create.ts';
import { philox } from './philox.ts';
import type { RandomKey } from './random-key.ts';

/** 24 random bits as a number in [0, 1): exact in float32. */
const unit = (word: number): number => (word >>> 8) / 2 ** 24;

/** Box–Muller, from two words; the first is moved into (0, 1] for the logarithm. */
function gaussian(word0: number, word1: number): number {
  return Math.sqrt(-2 * Math.log(1 - unit(word0))) * Math.cos(2 * Math.PI * unit(word1));
}

function draw(
  op: string,
  key: RandomKey,
  shape: Shape,
  value: (words: (attempt: number) => Uint32Array) => number,
): Tensor {
  checkShape(op, shape);
  const values = new Float32Array(sizeOf(shape));
  const block = new Uint32Array(4);
  const [key0, key1] = key.words;
  for (let i = 0; i < values.length; i++) {
    values[i] = value((attempt) => {
      philox(block, i, Math.floor(i / 2 ** 32), attempt, 0, key0, key1);
      return block;
    });
  }
  return fromValues(currentBackend(), values, { shape, dtype: 'float32' });
}

export interface UniformOptions {
  readonly min?: number;
  readonly max?: number;
}

export interface NormalOptions {
  readonly mean?: number;
  readonly standardDeviation?: number;
}

/** Evenly spread over [min, max). */
export function uniform(key: RandomKey, shape: Shape, options: UniformOptions = {}): Tensor {
  rejectUnknownOptions('uniform', options, ['min', 'max']);
  const { min = 0, max = 1 } = options;
  if (!(min <= max)) throw new TensorError('uniform', 'option', `expected min ≤ max, got ${min} and ${max}`);
  return draw('uniform', key, shape, (words) => min + (max - min) * unit(words(0)[0]));
}

/** Gaussian. */
export function normal(key: RandomKey, shape: Shape, options: NormalOptions = {}): Tensor {
  const { mean, standardDeviation } = checkNormal('normal', options);
  return draw('normal', key, shape, (words) => {
    const [a, b] = words(0);
    return mean + standardDeviation * gaussian(a, b);
  });
}

/** Gaussian, drawn again wherever it falls more than two standard deviations from the mean. */
export function truncatedNormal(key: RandomKey, shape: Shape, options: NormalOptions = {}): Tensor {
  const { mean, standardDeviation } = checkNormal('truncatedNormal', options);
  return draw('truncatedNormal', key, shape, (words) => {
    for (let attempt = 0; ; attempt++) {
      const [a, b] = words(attempt);
      const z = gaussian(a, b);
      if (Math.abs(z) <= 2) return mean + standardDeviation * z;
    }
  });
}

function checkNormal(op: string, options: NormalOptions): Required<NormalOptions> {
  rejectUnknownOptions(op, options, ['mean', 'standardDeviation']);
  const { mean = 0, standardDeviation = 1 } = options;
  if (!(standardDeviation >= 0)) {
    throw new TensorError(op, 'option', `standardDeviation must be ≥ 0, got ${standardDeviation}`);
  }
  return { mean, standardDeviation };
}
