/**
 * Products of matrices by register tiles of 4 rows × 8 columns: 8 accumulators, 2 vectors of B and 4 values of A fill
 * 14 of the 16 vector registers of x64. The loop over k is not unrolled: V8 moves loads to the front of a block, and
 * those of two steps would spill.
 *
 * A tile reads A as k rows of 4 values and B as k rows of 8. B is read in place or packed into panels of 8 columns,
 * padded with zeros. A is in place if it is stored transposed; else strips of 4 rows are transposed into the thread's
 * own scratch memory, from where all panels of B are multiplied with them. In place, a tile at the edge reads past
 * the end of a row or of the buffer: those lanes are never stored, and memory ends in a margin that is never handed
 * out.
 *
 * Every output value is one sum over blocks of `depth` values of k, in order, whatever rows or columns a thread
 * was given: that is what makes results independent of the number of threads.
 */
import { copyValues, madd } from './vectors.as';

const depth: i32 = 256;
/** Rows of so many values that are packed together: 16 KiB at most, which stay in the first-level cache beside a panel of B. */
@inline
function rowsTogether(length: i32): i32 {
  return (4096 / max(length, 64)) & ~3;
}

/** This thread's scratch memory, of so many values: every thread has its own instance of the module. */
const scratchValues: i32 = 32768;
let scratch: usize = 0;

export function setScratch(pointer: usize): void {
  scratch = pointer;
}

@inline
function storeRow(y: usize, low: v128, high: v128, columns: i32): void {
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

/** What a tile begins with where there is no bias. */
const zeros = memory.data(32, 16);

/**
 * One tile: y_r = z_r + Σ_l a[l, r]·b[l], or y_r += that, for the first `rows` of 4 rows and the first `columns` of 8 columns. The
 * sum begins with z, so that a bias costs no additions.
 */
@inline
function tile(
  a: usize, strideA: usize, b: usize, strideB: usize, length: i32, z0: usize, z1: usize, z2: usize, z3: usize, adds: bool, y0: usize, y1: usize, y2: usize, y3: usize, rows: i32, columns: i32,
): void {
  let p = a;
  let q = b;
  let c00 = v128.load(z0), c01 = v128.load(z0, 16), c10 = v128.load(z1), c11 = v128.load(z1, 16);
  let c20 = v128.load(z2), c21 = v128.load(z2, 16), c30 = v128.load(z3), c31 = v128.load(z3, 16);
  for (let l = length; l > 0; l--) {
    const b0 = v128.load(q);
    const b1 = v128.load(q, 16);
    let v = v128.load_splat<f32>(p);
    c00 = madd(v, b0, c00);
    c01 = madd(v, b1, c01);
    v = v128.load_splat<f32>(p, 4);
    c10 = madd(v, b0, c10);
    c11 = madd(v, b1, c11);
    v = v128.load_splat<f32>(p, 8);
    c20 = madd(v, b0, c20);
    c21 = madd(v, b1, c21);
    v = v128.load_splat<f32>(p, 12);
    c30 = madd(v, b0, c30);
    c31 = madd(v, b1, c31);
    p += strideA;
    q += strideB;
  }
  if (adds) {
    c00 = f32x4.add(v128.load(y0), c00);
    c01 = f32x4.add(v128.load(y0, 16), c01);
    c10 = f32x4.add(v128.load(y1), c10);
    c11 = f32x4.add(v128.load(y1, 16), c11);
    c20 = f32x4.add(v128.load(y2), c20);
    c21 = f32x4.add(v128.load(y2, 16), c21);
    c30 = f32x4.add(v128.load(y3), c30);
    c31 = f32x4.add(v128.load(y3, 16), c31);
  }
  // Most tiles are whole.
  if (rows >= 4 && columns >= 8) {
    v128.store(y0, c00);
    v128.store(y0, c01, 16);
    v128.store(y1, c10);
    v128.store(y1, c11, 16);
    v128.store(y2, c20);
    v128.store(y2, c21, 16);
    v128.store(y3, c30);
    v128.store(y3, c31, 16);
    return;
  }
  storeRow(y0, c00, c01, columns);
  if (rows > 1) storeRow(y1, c10, c11, columns);
  if (rows > 2) storeRow(y2, c20, c21, columns);
  if (rows > 3) storeRow(y3, c30, c31, columns);
}

@inline
function rowAt(rows: usize, i: i32): usize {
  return rows ? <usize>load<i32>(rows + (<usize>i << 2)) : <usize>i;
}

/** Transposes 4 rows of `length` values, at p0 … p3, into `length` rows of 4. */
@inline
function packStrip(p0: usize, p1: usize, p2: usize, p3: usize, length: i32, to: usize): void {
  let l = length;
  for (; l >= 4; l -= 4) {
    const r0 = v128.load(p0);
    const r1 = v128.load(p1);
    const r2 = v128.load(p2);
    const r3 = v128.load(p3);
    const low01 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
    const low23 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
    const high23 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
    v128.store(to, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
    v128.store(to, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), 16);
    v128.store(to, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), 32);
    v128.store(to, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7), 48);
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
    to += 64;
  }
  for (; l > 0; l--) {
    store<f32>(to, load<f32>(p0));
    store<f32>(to, load<f32>(p1), 4);
    store<f32>(to, load<f32>(p2), 8);
    store<f32>(to, load<f32>(p3), 12);
    p0 += 4;
    p1 += 4;
    p2 += 4;
    p3 += 4;
    to += 16;
  }
}

/**
 * y[r] = x[r]·B for the rows r = rows[first] … rows[last − 1] (or r = first … last − 1 if `rows` is 0) and the
 * columns from … to − 1, `from` a multiple of 8. Strides in bytes. Past the last row a strip repeats it.
 */
@inline
function multiplyRows(
  packed: bool, adds: bool, first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  for (let start = 0; start == 0 || start < k; start += depth) {
    const length = min(k - start, depth);
    const stripBytes = <usize>length << 4;
    const group = rowsTogether(length);
    const base = x + (<usize>start << 2);
    for (let g = first; g < last; g += group) {
      const end = min(g + group, last);
      let strip = scratch;
      for (let i = g; i < end; i += 4) {
        const p0 = base + rowAt(rows, i) * strideX;
        const p1 = base + rowAt(rows, min(i + 1, last - 1)) * strideX;
        const p2 = base + rowAt(rows, min(i + 2, last - 1)) * strideX;
        const p3 = base + rowAt(rows, min(i + 3, last - 1)) * strideX;
        packStrip(p0, p1, p2, p3, length, strip);
        strip += stripBytes;
      }
      for (let j = from; j < to; j += 8) {
        const panel = packed
          ? b + (<usize>j >> 3) * (<usize>k << 5) + (<usize>start << 5)
          : b + <usize>start * strideB + (<usize>j << 2);
        const out = y + (<usize>j << 2);
        strip = scratch;
        for (let i = g; i < end; i += 4) {
          const y0 = out + rowAt(rows, i) * strideY;
          const y1 = out + rowAt(rows, min(i + 1, last - 1)) * strideY;
          const y2 = out + rowAt(rows, min(i + 2, last - 1)) * strideY;
          const y3 = out + rowAt(rows, min(i + 3, last - 1)) * strideY;
          tile(strip, 16, panel, packed ? 32 : strideB, length, zeros, zeros, zeros, zeros, adds || start > 0, y0, y1, y2, y3, last - i, to - j);
          strip += stripBytes;
        }
      }
    }
  }
}

/** With B packed by `packPanels`. */
export function multiplyRowsPacked(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyRows(true, false, first, last, from, to, x, strideX, rows, b, 0, k, y, strideY);
}

/** y[r] += x[r]·B for the rows first … last − 1 and all m columns, B packed. */
export function addRowsPacked(
  first: i32, last: i32, m: i32, x: usize, strideX: usize, b: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyRows(true, true, first, last, 0, m, x, strideX, 0, b, 0, k, y, strideY);
}

/**
 * y[r] = [x₀[r] : x₁[r] : …]·B + bias for the rows first … last − 1, B [k, m] packed. With `biasRows`
 * row r has the bias of that number. `parts` holds pointer and width of each x. As in multiplyRows, but a strip is packed from all parts that a block of k crosses.
 */
export function multiplyPartsPacked(
  first: i32, last: i32, parts: usize, count: i32, b: usize, bias: usize, biasRows: usize, k: i32, m: i32, y: usize,
): void {
  const strideY = <usize>m << 2;
  for (let start = 0; start == 0 || start < k; start += depth) {
    const length = min(k - start, depth);
    const stripBytes = <usize>length << 4;
    const group = rowsTogether(length);
    for (let g = first; g < last; g += group) {
      const end = min(g + group, last);
      let before = 0;
      for (let part = 0; part < count; part++) {
        const width = load<i32>(parts + (<usize>part << 3), 4);
        const stride = <usize>width << 2;
        const from = max(start - before, 0);
        const until = min(start + length - before, width);
        if (from < until) {
          const x = <usize>load<i32>(parts + (<usize>part << 3)) + (<usize>from << 2);
          let strip = scratch + (<usize>(before + from - start) << 4);
          for (let i = g; i < end; i += 4) {
            const p0 = x + <usize>i * stride;
            const p1 = x + <usize>min(i + 1, last - 1) * stride;
            const p2 = x + <usize>min(i + 2, last - 1) * stride;
            const p3 = x + <usize>min(i + 3, last - 1) * stride;
            packStrip(p0, p1, p2, p3, until - from, strip);
            strip += stripBytes;
          }
        }
        before += width;
      }
      for (let j = 0; j < m; j += 8) {
        const panel = b + (<usize>j >> 3) * (<usize>k << 5) + (<usize>start << 5);
        const begin = start > 0 ? zeros : bias + (<usize>j << 2);
        let strip = scratch;
        let y0 = y + <usize>g * strideY + (<usize>j << 2);
        for (let i = g; i < end; i += 4) {
          const y1 = last - i > 1 ? y0 + strideY : y0;
          const y2 = last - i > 2 ? y1 + strideY : y0;
          const y3 = last - i > 3 ? y2 + strideY : y0;
          let z0 = begin, z1 = begin, z2 = begin, z3 = begin;
          if (start == 0 && biasRows) {
            z0 += rowAt(biasRows, i) * strideY;
            z1 += rowAt(biasRows, min(i + 1, last - 1)) * strideY;
            z2 += rowAt(biasRows, min(i + 2, last - 1)) * strideY;
            z3 += rowAt(biasRows, min(i + 3, last - 1)) * strideY;
          }
          tile(strip, 16, panel, 32, length, z0, z1, z2, z3, start > 0, y0, y1, y2, y3, last - i, m - j);
          y0 = y3 + strideY;
          strip += stripBytes;
        }
      }
    }
  }
}

/** With B in place, `strideB` bytes from row to row. */
export function multiplyRowsInPlace(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, rows: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyRows(false, false, first, last, from, to, x, strideX, rows, b, strideB, k, y, strideY);
}

/**
 * y[i] (+)= Σ_p x[p, i]·b[p] over p = 0 … k − 1, for i = first … last − 1 and the columns from … to − 1: the left side
 * transposed. B packed or in place.
 */
@inline
function multiplyColumns(
  packed: bool, adds: bool, first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  for (let start = 0; start == 0 || start < k; start += depth) {
    const length = min(k - start, depth);
    for (let j = from; j < to; j += 8) {
      const panel = packed
        ? b + (<usize>j >> 3) * (<usize>k << 5) + (<usize>start << 5)
        : b + <usize>start * strideB + (<usize>j << 2);
      for (let i = first; i < last; i += 4) {
        const strip = x + <usize>start * strideX + (<usize>i << 2);
        const y0 = y + <usize>i * strideY + (<usize>j << 2);
        const y1 = last - i > 1 ? y0 + strideY : y0;
        const y2 = last - i > 2 ? y1 + strideY : y0;
        const y3 = last - i > 3 ? y2 + strideY : y0;
        tile(strip, strideX, panel, packed ? 32 : strideB, length, zeros, zeros, zeros, zeros, adds || start > 0, y0, y1, y2, y3, last - i, to - j);
      }
    }
  }
}

export function multiplyColumnsPacked(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, b: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyColumns(true, false, first, last, from, to, x, strideX, b, 0, k, y, strideY);
}

export function multiplyColumnsInPlace(
  first: i32, last: i32, from: i32, to: i32, x: usize, strideX: usize, b: usize, strideB: usize, k: i32, y: usize, strideY: usize,
): void {
  multiplyColumns(false, false, first, last, from, to, x, strideX, b, strideB, k, y, strideY);
}

/**
 * y[i] = Σ_e x[e, i]·b[e] over e = order[0] … order[k − 1], for x [.., n] and b [.., m]. Rows are picked out into scratch
 * memory first, a block at a time that the first-level cache holds; its length depends on n and m alone.
 */
export function multiplyColumnsIndexed(x: usize, n: i32, b: usize, m: i32, order: usize, k: i32, y: usize): void {
  const fits = scratchValues / (n + m);
  const block = max(1, min(fits, min(depth, max(16, 6144 / (n + m)))));
  const strideX = <usize>n << 2;
  const strideB = <usize>m << 2;
  const others = scratch + <usize>block * strideX;
  for (let start = 0; start == 0 || start < k; start += block) {
    const length = min(k - start, block);
    for (let l = 0; l < length; l++) {
      const e = <usize>load<i32>(order + (<usize>(start + l) << 2));
      copyValues(x + e * strideX, scratch + <usize>l * strideX, n);
      copyValues(b + e * strideB, others + <usize>l * strideB, m);
    }
    addColumns(start > 0, n, m, strideX, others, strideB, length, y);
  }
}

/** Not inlined: it is the same code for the first block and for the others. */
function addColumns(adds: bool, n: i32, m: i32, strideX: usize, b: usize, strideB: usize, length: i32, y: usize): void {
  multiplyColumns(false, adds, 0, n, 0, m, scratch, strideX, b, strideB, length, y, strideB);
}
