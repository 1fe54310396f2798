/** linear: products of parts that lie side by side, and their gradients. The tiles are in multiply.as.ts. */
import {
  addRowsPacked,
  multiplyColumnsInPlace,
  multiplyPartsPacked,
} from '../../backends/wasm/assembly/multiply.as';

/** y[n, m] = x·B + bias, B packed. `parts` has pointer and width of x. A unit is 4 rows. */
export function linearRows(
  start: i32,
  end: i32,
  parts: usize,
  b: usize,
  bias: usize,
  y: usize,
  n: i32,
  k: i32,
  m: i32,
): void {
  multiplyPartsPacked(start << 2, min(end << 2, n), parts, 1, b, bias, 0, k, m, y);
}

/** y[n, m] += x[n, k]·B, B packed. A unit is 4 rows. */
export function linearRowsAdd(
  start: i32,
  end: i32,
  x: usize,
  b: usize,
  y: usize,
  n: i32,
  k: i32,
  m: i32,
): void {
  addRowsPacked(start << 2, min(end << 2, n), m, x, (<usize>k) << 2, b, k, y, (<usize>m) << 2);
}

/** dw[s] = [x₀ : x₁ : …]ᵀ·dy and db[s] = Σ dy over the rows of slice s. A unit is a slice of `depth` rows. */
export function linearWeightGrad(
  start: i32,
  end: i32,
  parts: usize,
  count: i32,
  dy: usize,
  dw: usize,
  db: usize,
  n: i32,
  depth: i32,
  k: i32,
  m: i32,
): void {
  const stride = (<usize>m) << 2;
  for (let slice = start; slice < end; slice++) {
    const first = slice * depth;
    const rows = min(depth, n - first);
    const from = dy + <usize>first * stride;
    let to = dw + <usize>(slice * k) * stride;
    for (let part = 0; part < count; part++) {
      const x = <usize>load<i32>(parts + ((<usize>part) << 3));
      const width = load<i32>(parts + ((<usize>part) << 3), 4);
      const strideX = (<usize>width) << 2;
      multiplyColumnsInPlace(
        0,
        width,
        0,
        m,
        x + <usize>first * strideX,
        strideX,
        from,
        stride,
        rows,
        to,
        stride,
      );
      to += <usize>width * stride;
    }
    sumRows(from, rows, m, db + <usize>slice * stride);
  }
}

/** Column sums of rows of m values. */
function sumRows(from: usize, rows: i32, m: i32, to: usize): void {
  const stride = (<usize>m) << 2;
  let c = 0;
  for (; c + 16 <= m; c += 16) {
    let p = from + ((<usize>c) << 2);
    let s0 = f32x4.splat(0),
      s1 = s0,
      s2 = s0,
      s3 = s0;
    for (let row = 0; row < rows; row++) {
      s0 = f32x4.add(s0, v128.load(p));
      s1 = f32x4.add(s1, v128.load(p, 16));
      s2 = f32x4.add(s2, v128.load(p, 32));
      s3 = f32x4.add(s3, v128.load(p, 48));
      p += stride;
    }
    const q = to + ((<usize>c) << 2);
    v128.store(q, s0);
    v128.store(q, s1, 16);
    v128.store(q, s2, 32);
    v128.store(q, s3, 48);
  }
  for (; c < m; c++) {
    let p = from + ((<usize>c) << 2);
    let total: f32 = 0;
    for (let row = 0; row < rows; row++) {
      total += load<f32>(p);
      p += stride;
    }
    store<f32>(to + ((<usize>c) << 2), total);
  }
}
