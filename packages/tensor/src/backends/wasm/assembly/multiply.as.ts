/**
 * Products of matrices by register tiles of 4 rows × 8 columns: 8 accumulators, 2 vectors of B, 1 value of A at a
 * time, which fits the 16 vector registers of x64 and never spills.
 *
 * B is read as panels of 8 columns, either packed (a panel is k contiguous rows of 8, padded with zeros) or in
 * place. In place, the last panel may read past the end of a row or of the buffer: those lanes are never stored,
 * and memory ends in a margin that is never handed out.
 *
 * Every output value is one sum over blocks of `depth` values of k, in order, whatever rows or columns a thread
 * was given: that is what makes results independent of the number of threads.
 */
import { madd } from './vectors.as';

const depth: i32 = 512;
/** Rows that share one panel of B while it is in the first-level cache. */
const group: i32 = 16;

// @ts-ignore: decorator
@inline
function rowAt(rows: usize, i: i32): usize {
  return rows ? <usize>load<i32>(rows + (<usize>i << 2)) : <usize>i;
}

// @ts-ignore: decorator
@inline
function storeTile(
  y: usize, low: v128, high: v128, columns: i32,
): void {
  if (columns >= 8) {
    v128.store(y, low);
    v128.store(y, high, 16);
    return;
  }
  if (columns >= 4) {
    v128.store(y, low);
    y += 16;
    low = high;
    columns -= 4;
  }
  if (columns > 0) v128.store_lane<f32>(y, low, 0);
  if (columns > 1) v128.store_lane<f32>(y, low, 1, 4);
  if (columns > 2) v128.store_lane<f32>(y, low, 2, 8);
}

/**
 * y[r] = x[r]·B for the rows r = rows[first] … rows[last − 1] (or r = first … last − 1 if `rows` is 0) and the
 * columns from … to − 1, `from` a multiple of 8. Strides in bytes.
 * Past the last row the tile repeats it: equal values are stored twice.
 */
// @ts-ignore: decorator
@inline
function multiplyRows(
  packed: bool, first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  for (let start = 0; start == 0 || start < k; start += depth) {
    const length = min(k - start, depth);
    for (let g = first; g < last; g += group) {
      const end = min(g + group, last);
      for (let j = from; j < to; j += 8) {
        const panel = packed
          ? b + (<usize>j >> 3) * (<usize>k << 5) + (<usize>start << 5)
          : b + <usize>start * strideB + (<usize>j << 2);
        const columns = to - j;
        const column = <usize>j << 2;
        for (let i = g; i < end; i += 4) {
          const r0 = rowAt(rows, i);
          const r1 = rowAt(rows, min(i + 1, last - 1));
          const r2 = rowAt(rows, min(i + 2, last - 1));
          const r3 = rowAt(rows, min(i + 3, last - 1));
          const x0 = x + r0 * strideX + (<usize>start << 2);
          let p0 = x0;
          let p1 = x + r1 * strideX + (<usize>start << 2);
          let p2 = x + r2 * strideX + (<usize>start << 2);
          let p3 = x + r3 * strideX + (<usize>start << 2);
          let q = panel;
          let c00 = f32x4.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
          const end4 = x0 + (<usize>(length & ~3) << 2);
          while (p0 != end4) {
            let b0 = v128.load(q);
            let b1 = v128.load(q, 16);
            let a = v128.load_splat<f32>(p0);
            c00 = madd(a, b0, c00);
            c01 = madd(a, b1, c01);
            a = v128.load_splat<f32>(p1);
            c10 = madd(a, b0, c10);
            c11 = madd(a, b1, c11);
            a = v128.load_splat<f32>(p2);
            c20 = madd(a, b0, c20);
            c21 = madd(a, b1, c21);
            a = v128.load_splat<f32>(p3);
            c30 = madd(a, b0, c30);
            c31 = madd(a, b1, c31);

            if (packed) {
              b0 = v128.load(q, 32);
              b1 = v128.load(q, 48);
            } else {
              q += strideB;
              b0 = v128.load(q);
              b1 = v128.load(q, 16);
            }
            a = v128.load_splat<f32>(p0, 4);
            c00 = madd(a, b0, c00);
            c01 = madd(a, b1, c01);
            a = v128.load_splat<f32>(p1, 4);
            c10 = madd(a, b0, c10);
            c11 = madd(a, b1, c11);
            a = v128.load_splat<f32>(p2, 4);
            c20 = madd(a, b0, c20);
            c21 = madd(a, b1, c21);
            a = v128.load_splat<f32>(p3, 4);
            c30 = madd(a, b0, c30);
            c31 = madd(a, b1, c31);

            if (packed) {
              b0 = v128.load(q, 64);
              b1 = v128.load(q, 80);
            } else {
              q += strideB;
              b0 = v128.load(q);
              b1 = v128.load(q, 16);
            }
            a = v128.load_splat<f32>(p0, 8);
            c00 = madd(a, b0, c00);
            c01 = madd(a, b1, c01);
            a = v128.load_splat<f32>(p1, 8);
            c10 = madd(a, b0, c10);
            c11 = madd(a, b1, c11);
            a = v128.load_splat<f32>(p2, 8);
            c20 = madd(a, b0, c20);
            c21 = madd(a, b1, c21);
            a = v128.load_splat<f32>(p3, 8);
            c30 = madd(a, b0, c30);
            c31 = madd(a, b1, c31);

            if (packed) {
              b0 = v128.load(q, 96);
              b1 = v128.load(q, 112);
              q += 128;
            } else {
              q += strideB;
              b0 = v128.load(q);
              b1 = v128.load(q, 16);
              q += strideB;
            }
            a = v128.load_splat<f32>(p0, 12);
            c00 = madd(a, b0, c00);
            c01 = madd(a, b1, c01);
            a = v128.load_splat<f32>(p1, 12);
            c10 = madd(a, b0, c10);
            c11 = madd(a, b1, c11);
            a = v128.load_splat<f32>(p2, 12);
            c20 = madd(a, b0, c20);
            c21 = madd(a, b1, c21);
            a = v128.load_splat<f32>(p3, 12);
            c30 = madd(a, b0, c30);
            c31 = madd(a, b1, c31);
            p0 += 16;
            p1 += 16;
            p2 += 16;
            p3 += 16;
          }
          for (let rest = length & 3; rest > 0; rest--) {
            const b0 = v128.load(q);
            const b1 = v128.load(q, 16);
            q += packed ? 32 : strideB;
            let a = v128.load_splat<f32>(p0);
            c00 = madd(a, b0, c00);
            c01 = madd(a, b1, c01);
            a = v128.load_splat<f32>(p1);
            c10 = madd(a, b0, c10);
            c11 = madd(a, b1, c11);
            a = v128.load_splat<f32>(p2);
            c20 = madd(a, b0, c20);
            c21 = madd(a, b1, c21);
            a = v128.load_splat<f32>(p3);
            c30 = madd(a, b0, c30);
            c31 = madd(a, b1, c31);
            p0 += 4;
            p1 += 4;
            p2 += 4;
            p3 += 4;
          }
          const y0 = y + r0 * strideY + column;
          const y1 = y + r1 * strideY + column;
          const y2 = y + r2 * strideY + column;
          const y3 = y + r3 * strideY + column;
          if (start > 0) {
            // All loads before all stores, for the repeated rows' sake.
            c00 = f32x4.add(v128.load(y0), c00);
            c01 = f32x4.add(v128.load(y0, 16), c01);
            c10 = f32x4.add(v128.load(y1), c10);
            c11 = f32x4.add(v128.load(y1, 16), c11);
            c20 = f32x4.add(v128.load(y2), c20);
            c21 = f32x4.add(v128.load(y2, 16), c21);
            c30 = f32x4.add(v128.load(y3), c30);
            c31 = f32x4.add(v128.load(y3, 16), c31);
          }
          storeTile(y0, c00, c01, columns);
          storeTile(y1, c10, c11, columns);
          storeTile(y2, c20, c21, columns);
          storeTile(y3, c30, c31, columns);
        }
      }
    }
  }
}

/** With B packed by `packPanels`. */
export function multiplyRowsPacked(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyRows(true, first, last, from, to, x, strideX, rows, b, 0, k, y, strideY);
}

/** With B in place, `strideB` bytes from row to row. */
export function multiplyRowsInPlace(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyRows(false, first, last, from, to, x, strideX, rows, b, strideB, k, y, strideY);
}

/**
 * y[i] = Σ_p x[p, i]·b[p], for i = first … last − 1 and the columns from … to − 1: the left side transposed.
 * p runs through 0 … k − 1, or through order[0] … order[k − 1] if `order` is given (`indexed`). B packed or in place.
 */
// @ts-ignore: decorator
@inline
function multiplyColumns(
  packed: bool, indexed: bool, first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, order: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  const block = depth >> 1;
  for (let start = 0; start == 0 || start < k; start += block) {
    const length = min(k - start, block);
    for (let j = from; j < to; j += 8) {
      const panel = packed
        ? b + (<usize>j >> 3) * (<usize>k << 5) + (<usize>start << 5)
        : indexed ? b + (<usize>j << 2) : b + <usize>start * strideB + (<usize>j << 2);
      const columns = to - j;
      for (let i = first; i < last; i += 4) {
        let q = panel;
        let p = indexed ? x + (<usize>i << 2) : x + <usize>start * strideX + (<usize>i << 2);
        let c00 = f32x4.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
        let at = order + (<usize>start << 2);
        for (let l = 0; l < length; l++) {
          let row = p;
          let other = q;
          if (indexed) {
            const id = <usize>load<i32>(at);
            at += 4;
            row = p + id * strideX;
            other = q + id * strideB;
          }
          const b0 = v128.load(other);
          const b1 = v128.load(other, 16);
          let a = v128.load_splat<f32>(row);
          c00 = madd(a, b0, c00);
          c01 = madd(a, b1, c01);
          a = v128.load_splat<f32>(row, 4);
          c10 = madd(a, b0, c10);
          c11 = madd(a, b1, c11);
          a = v128.load_splat<f32>(row, 8);
          c20 = madd(a, b0, c20);
          c21 = madd(a, b1, c21);
          a = v128.load_splat<f32>(row, 12);
          c30 = madd(a, b0, c30);
          c31 = madd(a, b1, c31);
          if (!indexed) {
            p += strideX;
            q += packed ? 32 : strideB;
          }
        }
        const y0 = y + <usize>i * strideY + (<usize>j << 2);
        const y1 = y0 + strideY;
        const y2 = y1 + strideY;
        const y3 = y2 + strideY;
        const count = last - i;
        if (start > 0) {
          c00 = f32x4.add(v128.load(y0), c00);
          c01 = f32x4.add(v128.load(y0, 16), c01);
          if (count > 1) {
            c10 = f32x4.add(v128.load(y1), c10);
            c11 = f32x4.add(v128.load(y1, 16), c11);
          }
          if (count > 2) {
            c20 = f32x4.add(v128.load(y2), c20);
            c21 = f32x4.add(v128.load(y2, 16), c21);
          }
          if (count > 3) {
            c30 = f32x4.add(v128.load(y3), c30);
            c31 = f32x4.add(v128.load(y3, 16), c31);
          }
        }
        storeTile(y0, c00, c01, columns);
        if (count > 1) storeTile(y1, c10, c11, columns);
        if (count > 2) storeTile(y2, c20, c21, columns);
        if (count > 3) storeTile(y3, c30, c31, columns);
      }
    }
  }
}

export function multiplyColumnsPacked(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, b: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyColumns(true, false, first, last, from, to, x, strideX, 0, b, 0, k, y, strideY);
}

export function multiplyColumnsInPlace(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyColumns(false, false, first, last, from, to, x, strideX, 0, b, strideB, k, y, strideY);
}

/** Σ over p = order[0] … order[k − 1]. */
export function multiplyColumnsIndexed(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, order: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyColumns(false, true, first, last, from, to, x, strideX, order, b, strideB, k, y, strideY);
}

/** Panels first … last − 1 of B [k, m], stored [k, m] or, transposed, [m, k]: each k rows of 8, padded with zeros. */
export function packPanels(first: i32, last: i32, b: usize, k: i32, m: i32, transposed: bool, panels: usize): void {
  for (let panel = first; panel < last; panel++) {
    const j = panel << 3;
    const columns = min(m - j, 8);
    let to = panels + <usize>panel * (<usize>k << 5);
    if (transposed) {
      packTransposed(b + <usize>j * (<usize>k << 2), k, columns, to);
      continue;
    }
    let from = b + (<usize>j << 2);
    if (columns == 8) {
      for (let p = 0; p < k; p++) {
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
        to += 32;
        from += <usize>m << 2;
      }
    } else {
      for (let p = 0; p < k; p++) {
        for (let c = 0; c < 8; c++) {
          store<f32>(to + (<usize>c << 2), c < columns ? load<f32>(from + (<usize>c << 2)) : 0);
        }
        to += 32;
        from += <usize>m << 2;
      }
    }
  }
}

/** One panel from up to 8 rows of k values: 4×4 blocks are transposed in registers. */
function packTransposed(b: usize, k: i32, columns: i32, panel: usize): void {
  const stride = <usize>k << 2;
  for (let half = 0; half < 8; half += 4) {
    const count = columns - half;
    const to = panel + (<usize>half << 2);
    let p = 0;
    if (count >= 4) {
      for (; p + 4 <= k; p += 4) {
        const from = b + <usize>half * stride + (<usize>p << 2);
        const r0 = v128.load(from);
        const r1 = v128.load(from + stride);
        const r2 = v128.load(from + 2 * stride);
        const r3 = v128.load(from + 3 * stride);
        const a = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
        const c = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
        const d = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
        const e = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
        const at = to + (<usize>p << 5);
        v128.store(at, v128.shuffle<f32>(a, d, 0, 1, 4, 5));
        v128.store(at + 32, v128.shuffle<f32>(a, d, 2, 3, 6, 7));
        v128.store(at + 64, v128.shuffle<f32>(c, e, 0, 1, 4, 5));
        v128.store(at + 96, v128.shuffle<f32>(c, e, 2, 3, 6, 7));
      }
    }
    for (; p < k; p++) {
      for (let c = 0; c < 4; c++) {
        const value: f32 = c < count ? load<f32>(b + <usize>(half + c) * stride + (<usize>p << 2)) : 0;
        store<f32>(to + (<usize>p << 5) + (<usize>c << 2), value);
      }
    }
  }
}
