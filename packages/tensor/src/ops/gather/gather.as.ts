/** gather: a unit is one row of the result. */
import { copyValues } from '../../backends/wasm/assembly/vectors.as';

export function gather(start: i32, end: i32, x: usize, ids: usize, y: usize, row: i32): void {
  const bytes = (<usize>row) << 2;
  let to = y + <usize>start * bytes;
  if (row == 40) {
    // The paper's width, without an inner loop.
    for (let k = start; k < end; k++) {
      const from = x + <usize>load<i32>(ids + ((<usize>k) << 2)) * 160;
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      v128.store(to, v128.load(from, 32), 32);
      v128.store(to, v128.load(from, 48), 48);
      v128.store(to, v128.load(from, 64), 64);
      v128.store(to, v128.load(from, 80), 80);
      v128.store(to, v128.load(from, 96), 96);
      v128.store(to, v128.load(from, 112), 112);
      v128.store(to, v128.load(from, 128), 128);
      v128.store(to, v128.load(from, 144), 144);
      to += 160;
    }
    return;
  }
  for (let k = start; k < end; k++) {
    copyValues(x + <usize>load<i32>(ids + ((<usize>k) << 2)) * bytes, to, row);
    to += bytes;
  }
}
