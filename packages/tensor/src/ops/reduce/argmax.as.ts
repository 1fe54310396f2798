/** argmax over n of [outer, n, inner]: the first of the largest, or the first NaN. */
import { largestOf } from '../../backends/wasm/assembly/vectors.as';

/** inner = 1, a unit is a row: the largest value first, then where it stands. */
export function argmaxRows(start: i32, end: i32, x: usize, y: usize, n: i32): void {
  for (let row = start; row < end; row++) {
    const p = x + ((<usize>(row * n)) << 2);
    const top = largestOf(p, n);
    const isNaN = top != top;
    const wanted = f32x4.splat(top);
    let k = 0;
    for (; k + 4 <= n; k += 4) {
      const v = v128.load(p + ((<usize>k) << 2));
      if (v128.any_true(isNaN ? f32x4.ne(v, v) : f32x4.eq(v, wanted))) break;
    }
    for (; k < n - 1; k++) {
      const value = load<f32>(p + ((<usize>k) << 2));
      if (isNaN ? value != value : value == top) break;
    }
    store<i32>(y + ((<usize>row) << 2), k);
  }
}

/** A unit is one output value; `inner` apart in memory. */
export function argmaxColumns(start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32): void {
  for (let unit = start; unit < end; unit++) {
    const outer = unit / inner;
    let p = x + ((<usize>(outer * n * inner + (unit - outer * inner))) << 2);
    let best = load<f32>(p);
    let at = 0;
    for (let k = 1; k < n && best == best; k++) {
      p += (<usize>inner) << 2;
      const value = load<f32>(p);
      if (value > best || value != value) {
        best = value;
        at = k;
      }
    }
    store<i32>(y + ((<usize>unit) << 2), at);
  }
}

export function argmaxInt(start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32): void {
  for (let unit = start; unit < end; unit++) {
    const outer = unit / inner;
    let p = x + ((<usize>(outer * n * inner + (unit - outer * inner))) << 2);
    let best = load<i32>(p);
    let at = 0;
    for (let k = 1; k < n; k++) {
      p += (<usize>inner) << 2;
      const value = load<i32>(p);
      if (value > best) {
        best = value;
        at = k;
      }
    }
    store<i32>(y + ((<usize>unit) << 2), at);
  }
}
