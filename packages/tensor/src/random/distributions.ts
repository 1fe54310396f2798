/** Random tensors. Values are drawn on the host, element i from counter i, so every backend gets the same. */
import { currentBackend } from '../core/backend.ts';
import { rejectUnknownOptions, TensorError } from '../core/errors.ts';
import { checkShape, sizeOf } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';
import { fromValues } from '../create/create.ts';
import { philox, philoxWords } from './philox.ts';
import type { RandomKey } from './random-key.ts';

/** 24 random bits as a number in [0, 1): exact in float32. */
const unit = (word: number): number => (word >>> 8) / 2 ** 24;

/** Box–Muller, from two words; the first is moved into (0, 1] for the logarithm. */
function gaussian(word0: number, word1: number): number {
  return Math.sqrt(-2 * Math.log(1 - unit(word0))) * Math.cos(2 * Math.PI * unit(word1));
}

/** So many blocks are drawn at a time: their words and values stay in the processor's cache. */
const chunk = 4096;

/**
 * Element i comes from the first two words of block i. `fill` gets them a chunk at a time, with nothing made per
 * element: millions are drawn when a model is made.
 */
function draw(
  op: string,
  key: RandomKey,
  shape: Shape,
  fill: (values: Float32Array, words0: Int32Array, words1: Int32Array, first: number) => void,
): Tensor {
  checkShape(op, shape);
  const values = new Float32Array(sizeOf(shape));
  const [words0, words1] = [new Int32Array(chunk), new Int32Array(chunk)];
  for (let first = 0; first < values.length; first += chunk) {
    philoxWords(words0, words1, first, ...key.words);
    fill(values.subarray(first, first + chunk), words0, words1, first);
  }
  return fromValues(currentBackend(), values, { shape, dtype: 'float32' });
}

/** What `uniform` can be told. */
export interface UniformOptions {
  /** The least value; 0 unless given. */
  readonly min?: number;
  /** No value reaches it, rounding aside; 1 unless given. */
  readonly max?: number;
}

/** What `normal` and `truncatedNormal` can be told. */
export interface NormalOptions {
  /** 0 unless given. */
  readonly mean?: number;
  /** 1 unless given. */
  readonly standardDeviation?: number;
}

/**
 * Values evenly spread over [min, max), each from 24 random bits.
 *
 * @example
 * const weights = uniform(randomKey(1), [3, 4], { min: -0.1, max: 0.1 });
 */
export function uniform(key: RandomKey, shape: Shape, options: UniformOptions = {}): Tensor {
  rejectUnknownOptions('uniform', options, ['min', 'max']);
  const { min = 0, max = 1 } = options;
  if (!(min <= max)) throw new TensorError('uniform', 'option', `expected min ≤ max, got ${min} and ${max}`);
  const width = max - min;
  return draw('uniform', key, shape, (values, words) => {
    for (let i = 0; i < values.length; i++) values[i] = min + width * unit(words[i]);
  });
}

/**
 * Values of the Gaussian with density exp(−(x − mean)² / 2σ²) / √(2πσ²), by Box and Muller's method.
 *
 * @example
 * const noise = normal(randomKey(1).child('noise'), [2, 3], { standardDeviation: 0.01 });
 */
export function normal(key: RandomKey, shape: Shape, options: NormalOptions = {}): Tensor {
  const { mean, standardDeviation } = checkNormal('normal', options);
  return draw('normal', key, shape, (values, words0, words1) => {
    for (let i = 0; i < values.length; i++) {
      values[i] = mean + standardDeviation * gaussian(words0[i], words1[i]);
    }
  });
}

/**
 * Gaussian values, drawn again wherever one falls more than two standard deviations from the mean.
 *
 * @example
 * const embeddings = truncatedNormal(randomKey(1), [10, 4], { standardDeviation: 0.02 });
 */
export function truncatedNormal(key: RandomKey, shape: Shape, options: NormalOptions = {}): Tensor {
  const { mean, standardDeviation } = checkNormal('truncatedNormal', options);
  const block = new Uint32Array(4);
  return draw('truncatedNormal', key, shape, (values, words0, words1, first) => {
    for (let i = 0; i < values.length; i++) {
      let z = gaussian(words0[i], words1[i]);
      for (let attempt = 1; Math.abs(z) > 2; attempt++) {
        philox(block, first + i, Math.floor(first / 2 ** 32), attempt, 0, ...key.words);
        z = gaussian(block[0], block[1]);
      }
      values[i] = mean + standardDeviation * z;
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
