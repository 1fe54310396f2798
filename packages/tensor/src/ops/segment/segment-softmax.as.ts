/** segmentSoftmax and its gradient. A unit is one segment. */
import { exp4 } from '../../backends/wasm/assembly/exponential.as';
import { loadPart, storePart, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

@inline
function offsetAt(offsets: usize, s: i32): i32 {
  return load<i32>(offsets + (<usize>s << 2));
}

/** Segments that are handled together, so that their values are still in cache when the next pass reads them. */
const batch: i32 = 64;

/**
 * One value per entry. The exponentials of many short segments lie side by side, so they are computed in one sweep
 * between the pass that shifts by the maximum and the pass that divides by the sum.
 */
export function segmentSoftmaxValues(start: i32, end: i32, x: usize, offsets: usize, y: usize): void {
  for (let first = start; first < end; first += batch) {
    const last = min(first + batch, end);
    for (let s = first; s < last; s++) {
      const from = offsetAt(offsets, s);
      const to = offsetAt(offsets, s + 1);
      let top: f32 = -Infinity;
      for (let k = from; k < to; k++) top = max<f32>(top, load<f32>(x + (<usize>k << 2)));
      for (let k = from; k < to; k++) store<f32>(y + (<usize>k << 2), load<f32>(x + (<usize>k << 2)) - top);
    }
    let p = y + (<usize>offsetAt(offsets, first) << 2);
    const stop = y + (<usize>offsetAt(offsets, last) << 2);
    for (; p + 16 <= stop; p += 16) v128.store(p, exp4(v128.load(p)));
    const rest = <i32>(stop - p) >> 2;
    if (rest) storePart(p, exp4(loadPart(p, rest, f32x4.splat(0))), rest);
    for (let s = first; s < last; s++) {
      const from = offsetAt(offsets, s);
      const to = offsetAt(offsets, s + 1);
      let total: f32 = 0;
      for (let k = from; k < to; k++) total += load<f32>(y + (<usize>k << 2));
      for (let k = from; k < to; k++) store<f32>(y + (<usize>k << 2), load<f32>(y + (<usize>k << 2)) / total);
    }
  }
}

/** Rows of several values: four columns at a time. */
export function segmentSoftmaxRows(start: i32, end: i32, x: usize, offsets: usize, y: usize, row: i32): void {
  const stride = <usize>row << 2;
  const low = f32x4.splat(-Infinity);
  for (let s = start; s < end; s++) {
    const first = <usize>offsetAt(offsets, s) * stride;
    const last = <usize>offsetAt(offsets, s + 1) * stride;
    for (let column = 0; column < row; column += 4) {
      const rest = min(row - column, 4);
      const px = x + (<usize>column << 2);
      const py = y + (<usize>column << 2);
      let top = low;
      for (let p = first; p < last; p += stride) {
        top = f32x4.max(top, rest == 4 ? v128.load(px + p) : loadPart(px + p, rest, low));
      }
      let total = f32x4.splat(0);
      for (let p = first; p < last; p += stride) {
        const e = exp4(f32x4.sub(rest == 4 ? v128.load(px + p) : loadPart(px + p, rest, low), top));
        total = f32x4.add(total, e);
        if (rest == 4) v128.store(py + p, e);
        else storePart(py + p, e, rest);
      }
      for (let p = first; p < last; p += stride) {
        if (rest == 4) v128.store(py + p, f32x4.div(v128.load(py + p), total));
        else storePart(py + p, f32x4.div(loadPart(py + p, rest, low), total), rest);
      }
    }
  }
}

/**
 * dx = y ⊙ (g − Σ g ⊙ y), one value per entry. Segments are short, and loops over what four does not divide would be
 * mispredicted in most: the last vector is masked in the sum, and stored whole, over entries that the next segments
 * write afterwards, up to the last one of this thread.
 */
export function segmentSoftmaxGradValues(start: i32, end: i32, y: usize, g: usize, offsets: usize, dx: usize): void {
  const zero = f32x4.splat(0);
  const lanes = i32x4(0, 1, 2, 3);
  const limit = offsetAt(offsets, end);
  for (let s = start; s < end; s++) {
    const from = offsetAt(offsets, s);
    const to = offsetAt(offsets, s + 1);
    let sums = zero;
    for (let k = from; k < to; k += 4) {
      const p = <usize>k << 2;
      const product = f32x4.mul(v128.load(g + p), v128.load(y + p));
      sums = f32x4.add(sums, v128.and(product, i32x4.gt_s(i32x4.splat(to - k), lanes)));
    }
    const total = f32x4.splat(sumOfLanes(sums));
    for (let k = from; k < to; k += 4) {
      const p = <usize>k << 2;
      const v = f32x4.mul(v128.load(y + p), f32x4.sub(v128.load(g + p), total));
      if (k + 4 <= limit) v128.store(dx + p, v);
      else storePart(dx + p, v, to - k);
    }
  }
}

export function segmentSoftmaxGradRows(
  start: i32, end: i32, y: usize, g: usize, offsets: usize, dx: usize, row: i32,
): void {
  const stride = <usize>row << 2;
  const zero = f32x4.splat(0);
  for (let s = start; s < end; s++) {
    const first = <usize>offsetAt(offsets, s) * stride;
    const last = <usize>offsetAt(offsets, s + 1) * stride;
    for (let column = 0; column < row; column += 4) {
      const rest = min(row - column, 4);
      const at = <usize>column << 2;
      let total = zero;
      for (let p = first + at; p < last; p += stride) {
        const vy = rest == 4 ? v128.load(y + p) : loadPart(y + p, rest, zero);
        const vg = rest == 4 ? v128.load(g + p) : loadPart(g + p, rest, zero);
        total = f32x4.add(total, f32x4.mul(vg, vy));
      }
      for (let p = first + at; p < last; p += stride) {
        const vy = rest == 4 ? v128.load(y + p) : loadPart(y + p, rest, zero);
        const vg = rest == 4 ? v128.load(g + p) : loadPart(g + p, rest, zero);
        const v = f32x4.mul(vy, f32x4.sub(vg, total));
        if (rest == 4) v128.store(dx + p, v);
        else storePart(dx + p, v, rest);
      }
    }
  }
}
