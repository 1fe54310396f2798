/** Lists of ids on the host, as row indices hold them: checked, and grouped by row. */
import { TensorError } from './errors.ts';
import { releaseInts, takeInts } from './int-pool.ts';

/** A copy of ids that are in range, and whether they are sorted. */
export interface CheckedIds {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly sorted: boolean;
}

/** Checks range and wholeness. */
export function checkIds(op: string, given: ArrayLike<number>, rows: number): CheckedIds {
  if (!Number.isSafeInteger(rows) || rows < 0) {
    throw new TensorError(op, 'index', `expected a count of rows, got ${rows}`);
  }
  if (!Number.isSafeInteger(given?.length)) {
    throw new TensorError(op, 'index', `expected a list of ids, got ${typeof given}`);
  }
  const ids = takeInts(given.length);
  ids.set(given);
  // Plans check millions of ids, four at a time. Nothing branches on one: the sign bit tells whether any lies outside, or falls.
  const last = (Math.min(rows, 2 ** 31) - 1) | 0;
  let outside = 0;
  let falls = 0;
  let before = 0;
  let k = 0;
  for (; k + 3 < ids.length; k += 4) {
    const a = ids[k];
    const b = ids[k + 1];
    const c = ids[k + 2];
    const d = ids[k + 3];
    outside |= a | (last - a) | b | (last - b) | c | (last - c) | d | (last - d);
    falls |= (a - before) | (b - a) | (c - b) | (d - c);
    before = d;
  }
  for (; k < ids.length; before = ids[k++]) {
    outside |= ids[k] | (last - ids[k]);
    falls |= ids[k] - before;
  }
  const isRight = given instanceof Int32Array && outside >= 0;
  const at = isRight ? -1 : ids.findIndex((id, k) => id !== given[k] || id < 0 || id >= rows);
  if (at < 0) return { ids, sorted: falls >= 0 };
  releaseInts(ids);
  const range = rows === 0 ? 'none: there are no rows' : `0 … ${rows - 1}`;
  throw new TensorError(op, 'index', `expected ids in ${range}, got ${given[at]} at ${at}`);
}

/** The entries of row r are order[offsets[r] … offsets[r + 1] − 1]. Sorted ids need no order: it is the identity. */
export interface Grouping {
  readonly offsets: Int32Array<ArrayBuffer>;
  readonly order?: Int32Array<ArrayBuffer>;
  /** The number of entries of the row that has most. */
  readonly longest: number;
}

/** Groups entries by id, keeping their order inside a group. */
export function groupIds({ ids, sorted }: CheckedIds, rows: number): Grouping {
  const offsets = takeInts(rows + 1).fill(0);
  let longest = 0;
  if (sorted) {
    for (let k = 0; k < ids.length; k++) offsets[ids[k] + 1] = k + 1;
    for (let row = 0; row < rows; row++) {
      offsets[row + 1] = Math.max(offsets[row], offsets[row + 1]);
      longest = Math.max(longest, offsets[row + 1] - offsets[row]);
    }
    return { offsets, longest };
  }
  for (let k = 0; k < ids.length; k++) offsets[ids[k] + 1] += 1;
  for (let row = 0; row < rows; row++) {
    longest = Math.max(longest, offsets[row + 1]);
    offsets[row + 1] += offsets[row];
  }
  const order = takeInts(ids.length);
  for (let k = 0; k < ids.length; k++) order[offsets[ids[k]]++] = k;
  // Each row has come to where the next begins.
  offsets.copyWithin(1, 0, rows);
  offsets[0] = 0;
  return { offsets, order, longest };
}

let counting = new Int32Array(0);

/** 0 … length − 1: the first of one list that only grows. */
export function identity(length: number): Int32Array {
  if (counting.length < length) counting = new Int32Array(2 * length).map((_, k) => k);
  return counting.subarray(0, length);
}

/** How many entries each row has. */
export function countsOf(offsets: Int32Array): Float32Array {
  return Float32Array.from(offsets.subarray(1), (end, row) => end - offsets[row]);
}

/** How often the most frequent id occurs. */
export function mostEntries(ids: Int32Array): number {
  const counts = new Map<number, number>();
  let most = 0;
  for (const id of ids) {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    most = Math.max(most, count);
  }
  return most;
}
