/** Moving values: what permute, broadcastTo, slice, pad and concat come down to. */
import { copyValues } from '../../backends/wasm/assembly/vectors.as';

/**
 * Copies rows of `n` values. Along a row x is walked by `step` (1, 0 to repeat one value, or a stride) and y by 1.
 * Where rows start follows from `table`: extent and the strides of x and y on each outer axis, innermost first.
 */
export function moveRows(
  start: i32,
  end: i32,
  x: usize,
  y: usize,
  n: i32,
  step: i32,
  axes: i32,
  table: usize,
): void {
  for (let r = start; r < end; r++) {
    let index = r;
    let entry = table;
    let px = x;
    let py = y;
    for (let axis = 1; axis <= axes; axis++) {
      const extent = load<i32>(entry);
      const outer = axis == axes ? 0 : index / extent;
      const inner = index - outer * extent;
      px += (<usize>(inner * load<i32>(entry, 4))) << 2;
      py += (<usize>(inner * load<i32>(entry, 8))) << 2;
      index = outer;
      entry += 12;
    }
    if (step == 1) {
      copyValues(px, py, n);
    } else if (step == 0) {
      const v = v128.load_splat<f32>(px);
      let c = 0;
      for (; c + 4 <= n; c += 4) v128.store(py + ((<usize>c) << 2), v);
      for (; c < n; c++) v128.store_lane<f32>(py + ((<usize>c) << 2), v, 0);
    } else {
      const stride = (<usize>step) << 2;
      for (let c = 0; c < n; c++) {
        store<i32>(py + ((<usize>c) << 2), load<i32>(px));
        px += stride;
      }
    }
  }
}

/**
 * Transposes matrices: y[.., i, j] = x[.., j, i] for i < n, j < m, in blocks of 4 × 4. x runs along i by 1 and along
 * j by strideX; y runs along j by 1 and along i by strideY. A unit is 4 rows of y (of one matrix); where a matrix
 * starts follows from `table` as in moveRows.
 */
export function moveTransposed(
  start: i32,
  end: i32,
  x: usize,
  y: usize,
  n: i32,
  m: i32,
  strideX: i32,
  strideY: i32,
  axes: i32,
  table: usize,
): void {
  const strips = (n + 3) >> 2;
  const sx = (<usize>strideX) << 2;
  const sy = (<usize>strideY) << 2;
  for (let unit = start; unit < end; unit++) {
    let index = unit / strips;
    const i = (unit - index * strips) << 2;
    let entry = table;
    let px = x + ((<usize>i) << 2);
    let py = y + <usize>i * sy;
    for (let axis = 1; axis <= axes; axis++) {
      const extent = load<i32>(entry);
      const outer = axis == axes ? 0 : index / extent;
      const inner = index - outer * extent;
      px += (<usize>(inner * load<i32>(entry, 4))) << 2;
      py += (<usize>(inner * load<i32>(entry, 8))) << 2;
      index = outer;
      entry += 12;
    }
    const rows = min(n - i, 4);
    let j = 0;
    if (rows == 4) {
      for (; j + 4 <= m; j += 4) {
        const r0 = v128.load(px);
        const r1 = v128.load(px + sx);
        const r2 = v128.load(px + 2 * sx);
        const r3 = v128.load(px + 3 * sx);
        const a = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
        const b = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
        const c = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
        const d = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
        v128.store(py, v128.shuffle<f32>(a, c, 0, 1, 4, 5));
        v128.store(py + sy, v128.shuffle<f32>(a, c, 2, 3, 6, 7));
        v128.store(py + 2 * sy, v128.shuffle<f32>(b, d, 0, 1, 4, 5));
        v128.store(py + 3 * sy, v128.shuffle<f32>(b, d, 2, 3, 6, 7));
        px += 4 * sx;
        py += 16;
      }
    }
    for (; j < m; j++) {
      for (let r = 0; r < rows; r++) store<i32>(py + <usize>r * sy, load<i32>(px + ((<usize>r) << 2)));
      px += sx;
      py += 4;
    }
  }
}
