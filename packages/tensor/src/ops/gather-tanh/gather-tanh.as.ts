/** gatherTanh: a unit is one entry. */
import { tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { copyValues, loadUpTo, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/**
 * Entries whose rows are added up before tanh is taken of all of them. Rows lie far apart in memory: next to each other,
 * their reads wait at the same time, while between them tanh would keep the processor from looking ahead.
 */
const entriesAtOnce: i32 = 16;

/** out[k] = tanh(Σ x_i[ids_i k]). `table`: pointers of x and ids of each term. */
export function gatherTanh(start: i32, end: i32, table: usize, terms: i32, out: usize, row: i32): void {
  const stride = (<usize>row) << 2;
  for (let first = start; first < end; first += entriesAtOnce) {
    const last = min(first + entriesAtOnce, end);
    for (let k = first; k < last; k++) addTerms(k, table, terms, out + <usize>k * stride, row);
    const block = out + <usize>first * stride;
    const count = (last - first) * row;
    const whole = (<usize>(count & ~3)) << 2;
    for (let at: usize = 0; at < whole; at += 16) v128.store(block + at, tanh4(v128.load(block + at)));
    const rest = count & 3;
    if (rest) storeUpTo(block + whole, tanh4(loadUpTo(block + whole, rest)), rest);
  }
}

/** to = Σ x_i[ids_i k] */
function addTerms(k: i32, table: usize, terms: i32, to: usize, row: i32): void {
  let p = rowOf(table, k, row);
  if (terms == 1) copyValues(p, to, row);
  const whole = (<usize>(row & ~3)) << 2;
  const rest = row & 3;
  for (let term = 1; term < terms; term++) {
    const q = rowOf(table + ((<usize>term) << 3), k, row);
    for (let at: usize = 0; at < whole; at += 16) {
      v128.store(to + at, f32x4.add(v128.load(p + at), v128.load(q + at)));
    }
    if (rest) {
      const sum = f32x4.add(loadUpTo(p + whole, rest), loadUpTo(q + whole, rest));
      storeUpTo(to + whole, sum, rest);
    }
    p = to;
  }
}

/** Where the row begins that a term has for entry k. */
function rowOf(term: usize, k: i32, row: i32): usize {
  const id = <usize>load<i32>(<usize>load<i32>(term, 4) + ((<usize>k) << 2));
  return <usize>load<i32>(term) + id * ((<usize>row) << 2);
}
