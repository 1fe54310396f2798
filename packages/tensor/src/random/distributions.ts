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

/** Puts the words of block i, or of the block that is tried in its place, into `words`. */
type DrawBlock = (i: number, attempt: number) => void;

/** Plain loops over whole arrays, with nothing made per element: millions are drawn when a model is made. */
function draw(
  op: string,
  key: RandomKey,
  shape: Shape,
  fill: (values: Float32Array, words: Uint32Array, drawBlock: DrawBlock) => void,
): Tensor {
  checkShape(op, shape);
  const values = new Float32Array(sizeOf(shape));
  const words = new Uint32Array(4);
  const [key0, key1] = key.words;
  fill(values, words, (i, attempt) => {
    philox(words, i, Math.floor(i / 2 ** 32), attempt, 0, key0, key1);
  });
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
  return draw('uniform', key, shape, (values, words, drawBlock) => {
    for (let i = 0; i < values.length; i++) {
      drawBlock(i, 0);
      values[i] = min + (max - min) * unit(words[0]);
    }
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
  return draw('normal', key, shape, (values, words, drawBlock) => {
    for (let i = 0; i < values.length; i++) {
      drawBlock(i, 0);
      values[i] = mean + standardDeviation * gaussian(words[0], words[1]);
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
  return draw('truncatedNormal', key, shape, (values, words, drawBlock) => {
    for (let i = 0; i < values.length; i++) {
      let z: number;
      let attempt = 0;
      do {
        drawBlock(i, attempt++);
        z = gaussian(words[0], words[1]);
      } while (Math.abs(z) > 2);
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
