/** scatterAddAll: a unit is one row of the result. */
import { copyValues, loadUpTo, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/** `table`: pointers of x, offsets and order of each term; no base if that is 0. */
export function scatterAddAll(
  start: i32,
  end: i32,
  table: usize,
  terms: i32,
  base: usize,
  out: usize,
  row: i32,
): void {
  const stride = (<usize>row) << 2;
  for (let r = start; r < end; r++) {
    const to = out + <usize>r * stride;
    if (base) copyValues(base + <usize>r * stride, to, row);
    else memory.fill(to, 0, stride);
    for (let term = 0; term < terms; term++) {
      const entry = table + <usize>(12 * term);
      const x = <usize>load<i32>(entry);
      const offsets = <usize>load<i32>(entry, 4) + ((<usize>r) << 2);
      const order = <usize>load<i32>(entry, 8);
      const last = load<i32>(offsets, 4);
      for (let k = load<i32>(offsets); k < last; k++) {
        const p = x + <usize>load<i32>(order + ((<usize>k) << 2)) * stride;
        for (let c = 0; c < row; c += 4) {
          const at = (<usize>c) << 2;
          const count = row - c;
          storeUpTo(to + at, f32x4.add(loadUpTo(to + at, count), loadUpTo(p + at, count)), count);
        }
      }
    }
  }
}
