import { expectOneOf, multiplyHigh, rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import type { RandomKey } from '@flowgrad/tensor';
import { expectExtents, expectKey, expectWhole } from '../options.ts';
import { randomWords } from '../random/random-words.ts';

/** The typed arrays that batches are made of. */
export type TypedArray = Int32Array | Uint32Array | Uint8Array | Float32Array | Float64Array;

/** What `createBatchLoader` takes. */
export interface BatchLoaderOptions {
  /** How many items a batch has. */
  readonly size: number;
  /** Shuffles anew for each epoch, by this key and the epoch alone. Without it, items come in the order they have. */
  readonly key?: RandomKey;
  /** What becomes of the items left over for a last, smaller batch: 'keep' makes one of them unless 'drop' is given. */
  readonly last?: 'keep' | 'drop';
}

/** Deals the items of a dataset out in batches, epoch by epoch. */
export interface BatchLoader<Batch> {
  /** How many batches an epoch has. */
  readonly batchCount: number;
  /** The batches of an epoch, counted from 0: every item once, but for those that `last: 'drop'` leaves out. */
  epoch(this: void, epoch: number): Generator<Batch, void, undefined>;
}

/** Batches of the numbers 0 … count − 1: rows, nodes or examples by number. */
export function createBatchLoader(count: number, options: BatchLoaderOptions): BatchLoader<Int32Array>;
/** Batches of the elements of a typed array, as arrays of the same type. */
export function createBatchLoader<T extends TypedArray>(
  items: T,
  options: BatchLoaderOptions,
): BatchLoader<T>;
/** Batches of the elements of a list. */
export function createBatchLoader<T>(items: readonly T[], options: BatchLoaderOptions): BatchLoader<T[]>;
export function createBatchLoader(
  items: number | TypedArray | readonly unknown[],
  options: BatchLoaderOptions,
): BatchLoader<ArrayLike<unknown>> {
  const where = 'createBatchLoader';
  rejectUnknownOptions(where, options, ['size', 'key', 'last']);
  const { size, key, last = 'keep' } = options;
  expectExtents(where, { size });
  if (key !== undefined) expectKey(where, key);
  expectOneOf(where, 'last', last, ['keep', 'drop']);
  if (typeof items === 'number') expectWhole(where, 'count', items);
  // A copy, so that later changes of the caller's list change no batch.
  const all = typeof items === 'number' ? firstNumbers(items) : items.slice();
  const batchCount = last === 'keep' ? Math.ceil(all.length / size) : Math.floor(all.length / size);
  if (batchCount === 0) {
    throw new TensorError(
      where,
      'option',
      `expected items for at least one batch${last === 'drop' ? ` of ${size}` : ''}, got ${all.length}`,
    );
  }
  function* epoch(number: number): Generator<ArrayLike<unknown>, void, undefined> {
    expectWhole('loader.epoch', 'epoch', number);
    const order = key ? shuffle(key.child(number), all.length) : firstNumbers(all.length);
    for (let b = 0; b < batchCount; b++) yield pick(all, order.subarray(b * size, (b + 1) * size));
  }
  return { batchCount, epoch };
}

function firstNumbers(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => i);
}

/**
 * 0 … length − 1 in random order (Fisher and Yates). ⌊word·bound / 2³²⌋ is even to one part in 2³² / bound, which no
 * training can tell.
 */
function shuffle(key: RandomKey, length: number): Int32Array {
  const order = firstNumbers(length);
  const words = randomWords(key, length);
  for (let i = length - 1; i > 0; i--) {
    const other = multiplyHigh(words[i], i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/** The items at `positions`, in an array of the kind that `items` is. */
function pick(items: TypedArray | readonly unknown[], positions: Int32Array): ArrayLike<unknown> {
  const batch = items.slice(0, positions.length) as unknown[];
  for (let k = 0; k < positions.length; k++) batch[k] = items[positions[k]];
  return batch;
}
