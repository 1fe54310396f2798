/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Indices into rows, the one way graphs enter ops: edges by their sender, by their receiver, by their type.
 *
 * An index is checked once, when it is made, and carries what its backward needs: the stable order that sorts
 * it (its transpose) and where each row's entries begin in that order. Nothing is sorted again per step.
 */
import { currentBackend } from './backend.ts';
import type { Backend } from './backend.ts';
import { rejectUnknownOptions, TensorError } from './errors.ts';
import { checkIds } from './id-lists.ts';
import type { CheckedIds } from './id-lists.ts';
import { IndexLists } from './index-lists.ts';
import { takeInts } from './int-pool.ts';
import type { Rows } from './operands.ts';
import { innermostScope, ScopedValue } from './scope.ts';
import type { Tensor } from './tensor.ts';

let nextKey = 1;

/** `ids[k]` in 0 … rows−1, for k in 0 … length−1. Made by `rowIndex`, `segments`, `deferredIndex` and `joinIndices`. */
export class RowIndex extends ScopedValue implements Rows<Tensor> {
  readonly backend: Backend;
  /** How many rows there are to point at. */
  readonly rows: number;
  /** @internal Names the index on tapes; aliases share it. */
  readonly key: number;
  readonly #lists: IndexLists;
  #disposedBy: string | undefined;

  /** @internal Takes over one ownership of `lists`. */
  constructor(lists: IndexLists, key = nextKey++) {
    super();
    this.backend = lists.backend;
    this.rows = lists.rows;
    this.key = key;
    this.#lists = lists;
    innermostScope()?.own(this);
  }

  /** @internal The ids of all parts, those of part p raised by offsets[p]. They are in range as those of the parts are. */
  static join(parts: readonly RowIndex[], offsets: readonly number[]): CheckedIds {
    const lists = parts.map((part) => part.#live.checked);
    const ids = takeInts(lists.reduce((total, list) => total + list.ids.length, 0));
    let sorted = lists.every((list) => list.sorted);
    let count = 0;
    for (let p = 0; p < lists.length; p++) {
      const from = lists[p].ids;
      const offset = offsets[p];
      const first = count;
      for (let k = 0; k < from.length; k++) ids[count++] = from[k] + offset;
      if (first > 0 && count > first && ids[first] < ids[first - 1]) sorted = false;
    }
    return { ids, sorted };
  }

  /** Whether the ids never decrease, as segment ops require. */
  get sorted(): boolean {
    return this.#live.checked.sorted;
  }

  get length(): number {
    return this.#live.checked.ids.length;
  }

  /** int32 [length]. */
  get ids(): Tensor {
    return this.#live.ids;
  }

  /** int32 [rows + 1]: entries of row r are order[offsets[r] … offsets[r + 1] − 1]. */
  get offsets(): Tensor {
    return this.#live.offsets;
  }

  /** int32 [length]: the stable permutation that sorts the ids; the identity if they are sorted. */
  get order(): Tensor {
    return this.#live.order;
  }

  /** float32 [rows]: how often each row occurs. */
  get counts(): Tensor {
    return this.#live.counts;
  }

  /** The number of entries of the row that has most: what tells a backend how to divide the work. */
  get longest(): number {
    return this.#live.longest;
  }

  /** A copy of the ids on the host. */
  toArray(): Int32Array {
    return this.#live.checked.ids.slice();
  }

  override dispose(by = 'dispose()'): void {
    if (this.#disposedBy !== undefined) return;
    this.#disposedBy = by;
    this.owner?.disown(this);
    this.#lists.release(by);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal Another owner of the same index: what a tape keeps until the backward pass. */
  alias(user: string): RowIndex {
    this.requireLive(user);
    return new RowIndex(this.#lists.retain(), this.key);
  }

  /** @internal Raises, naming `user`, if this was freed. */
  requireLive(user: string): void {
    if (this.#disposedBy === undefined) return;
    throw new TensorError(user, 'disposed', `expected a live index, got one freed by ${this.#disposedBy}`);
  }

  get #live(): IndexLists {
    this.requireLive('rowIndex');
    return this.#lists;
  }
}

function indexOf(ids: CheckedIds | (() => CheckedIds), rows: number): RowIndex {
  return new RowIndex(new IndexLists(currentBackend(), ids, rows));
}

/**
 * An index of entries into `rows` rows, in any order: `rowIndex([2, 0, 2], 3)`.
 *
 * @example
 * gather(tensor([10, 20, 30]), rowIndex([2, 0, 2], 3)); // [30, 10, 30]
 */
export function rowIndex(ids: ArrayLike<number>, rows: number): RowIndex {
  return indexOf(checkIds('rowIndex', ids, rows), rows);
}

/**
 * An index whose ids never decrease: entry k belongs to segment ids[k], and segments lie side by side.
 *
 * @example
 * segmentSum(tensor([1, 2, 4]), segments([0, 0, 1], 2)); // [3, 4]
 */
export function segments(ids: ArrayLike<number>, count: number): RowIndex {
  const index = indexOf(checkIds('segments', ids, count), count);
  requireSorted('segments', index);
  return index;
}

/**
 * An index whose ids are made, and checked, when they are first asked for: for what only some of its users need.
 * It
 * belongs to the scope in which it was deferred.
 *
 * @example
 * const index = deferredIndex(() => [2, 0], 3); // the ids are asked for when an op first needs them
 * gather(tensor([10, 20, 30]), index); // [30, 10]
 */
export function deferredIndex(ids: () => ArrayLike<number>, rows: number): RowIndex {
  return indexOf(() => checkIds('deferredIndex', ids(), rows), rows);
}

/**
 * The entries of all parts, one part after another. The rows of a part come after those of the parts before it, as
 * in a
 * batch of graphs side by side; with `sameRows` all parts point at the same rows. Nothing is checked again, so
 * that an
 * index is made quickly of parts that are kept.
 *
 * @example
 * const joined = joinIndices([rowIndex([0, 1], 2), rowIndex([0], 1)]);
 * joined.rows; // 3
 */
export function joinIndices(parts: readonly RowIndex[], options: { sameRows?: boolean } = {}): RowIndex {
  rejectUnknownOptions('joinIndices', options, ['sameRows']);
  if (parts.length === 0)
    throw new TensorError('joinIndices', 'index', 'expected at least one index, got none');
  if (options.sameRows) {
    const [{ rows }] = parts;
    const other = parts.findIndex((part) => part.rows !== rows);
    if (other < 0) return indexOf(RowIndex.join(parts, new Array<number>(parts.length).fill(0)), rows);
    throw new TensorError(
      'joinIndices',
      'index',
      `expected parts into the same ${rows} rows, got ${parts[other].rows} at ${other}`,
    );
  }
  let rows = 0;
  const offsets = parts.map((part) => {
    rows += part.rows;
    return rows - part.rows;
  });
  if (rows > 2 ** 31) {
    throw new TensorError('joinIndices', 'index', `expected at most ${2 ** 31} rows in all, got ${rows}`);
  }
  return indexOf(RowIndex.join(parts, offsets), rows);
}

/** Raises unless the ids never decrease. */
export function requireSorted(op: string, index: RowIndex): void {
  if (index.sorted) return;
  const ids = index.toArray();
  const at = ids.findIndex((id, k) => k > 0 && id < ids[k - 1]);
  throw new TensorError(
    op,
    'index',
    `expected ids that never decrease, got ${ids[at - 1]} then ${ids[at]} at ${at} ` +
      '(scatterAdd takes any order; or sort the rows first)',
  );
}
