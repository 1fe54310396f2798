/** segmentLogSumExp. A unit is one segment; columns are taken four at a time, entries in ascending order. */
import { exp4 } from '../../backends/wasm/assembly/exponential.as';
import { log4 } from '../../backends/wasm/assembly/logarithm.as';
import { loadUpTo, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

export function segmentLogSumExp(start: i32, end: i32, x: usize, offsets: usize, y: usize, row: i32): void {
  const stride = <usize>row << 2;
  const infinity = f32x4.splat(Infinity);
  for (let s = start; s < end; s++) {
    const first = <usize>load<i32>(offsets + (<usize>s << 2)) * stride;
    const last = <usize>load<i32>(offsets + (<usize>s << 2), 4) * stride;
    for (let column = 0; column < row; column += 4) {
      const rest = row - column;
      const px = x + (<usize>column << 2);
      let top = f32x4.neg(infinity);
      for (let p = first; p < last; p += stride) top = f32x4.max(top, loadUpTo(px + p, rest));
      let total = f32x4.splat(0);
      for (let p = first; p < last; p += stride) {
        total = f32x4.add(total, exp4(f32x4.sub(loadUpTo(px + p, rest), top)));
      }
      // Where top is infinite or NaN it is the result, which that of an empty segment is too.
      const finite = f32x4.lt(f32x4.abs(top), infinity);
      const result = v128.bitselect(f32x4.add(top, log4(total)), top, finite);
      storeUpTo(y + <usize>s * stride + (<usize>column << 2), result, rest);
    }
  }
}
