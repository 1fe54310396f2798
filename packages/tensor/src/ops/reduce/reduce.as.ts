/**
 * sum and max over n of [outer, n, inner]. n is cut into blocks of fixed length, one unit each; a second call
 * reduces the blocks' results. The blocks depend on the shape alone, so threads do not change the order of sums.
 */
import { largestOf, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

const enum Op { Sum, Max, SumInt, MaxInt }

@inline
function combine(op: i32, a: v128, b: v128): v128 {
  if (op == Op.Sum) return f32x4.add(a, b);
  if (op == Op.Max) return f32x4.max(a, b);
  if (op == Op.SumInt) return i32x4.add(a, b);
  return i32x4.max_s(a, b);
}

@inline
function neutral(op: i32): v128 {
  if (op == Op.Max) return f32x4.splat(-Infinity);
  if (op == Op.MaxInt) return i32x4.splat(i32.MIN_VALUE);
  return i32x4.splat(0);
}

/** The one value that four lanes make, in lane 0. */
@inline
function acrossLanes(op: i32, v: v128): v128 {
  if (op == Op.Sum) return f32x4.splat(sumOfLanes(v));
  const halves = combine(op, v, v128.shuffle<i32>(v, v, 2, 3, 2, 3));
  return combine(op, halves, v128.shuffle<i32>(halves, halves, 1, 0, 3, 2));
}

/** inner = 1: y[o, block] of contiguous values. */
@inline
function rows(op: i32, start: i32, end: i32, x: usize, y: usize, n: i32, block: i32, blocks: i32): void {
  for (let unit = start; unit < end; unit++) {
    const outer = unit / blocks;
    const first = (unit - outer * blocks) * block;
    const count = min(block, n - first);
    let p = x + (<usize>(outer * n + first) << 2);
    if (op == Op.Max) {
      store<f32>(y + (<usize>unit << 2), largestOf(p, count));
      continue;
    }
    const stop16 = p + (<usize>(count & ~15) << 2);
    const stop4 = p + (<usize>(count & ~3) << 2);
    const stop = p + (<usize>count << 2);
    let a = neutral(op), b = a, c = a, d = a;
    for (; p < stop16; p += 64) {
      a = combine(op, a, v128.load(p));
      b = combine(op, b, v128.load(p, 16));
      c = combine(op, c, v128.load(p, 32));
      d = combine(op, d, v128.load(p, 48));
    }
    for (; p < stop4; p += 16) a = combine(op, a, v128.load(p));
    a = acrossLanes(op, combine(op, combine(op, a, b), combine(op, c, d)));
    for (; p < stop; p += 4) a = combine(op, a, v128.load_splat<f32>(p));
    v128.store_lane<f32>(y + (<usize>unit << 2), a, 0);
  }
}

/** y[o, block, :] of rows of `inner` values, in strips of 32 and 4 columns. */
@inline
function columns(op: i32, start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32, block: i32, blocks: i32): void {
  const stride = <usize>inner << 2;
  for (let unit = start; unit < end; unit++) {
    const outer = unit / blocks;
    const first = (unit - outer * blocks) * block;
    const count = min(block, n - first);
    const from = x + (<usize>((outer * n + first) * inner) << 2);
    const to = y + (<usize>(unit * inner) << 2);
    let column = 0;
    for (; column + 32 <= inner; column += 32) {
      let p = from + (<usize>column << 2);
      let a = neutral(op), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
      for (let k = 0; k < count; k++) {
        a = combine(op, a, v128.load(p));
        b = combine(op, b, v128.load(p, 16));
        c = combine(op, c, v128.load(p, 32));
        d = combine(op, d, v128.load(p, 48));
        e = combine(op, e, v128.load(p, 64));
        f = combine(op, f, v128.load(p, 80));
        g = combine(op, g, v128.load(p, 96));
        h = combine(op, h, v128.load(p, 112));
        p += stride;
      }
      const q = to + (<usize>column << 2);
      v128.store(q, a);
      v128.store(q, b, 16);
      v128.store(q, c, 32);
      v128.store(q, d, 48);
      v128.store(q, e, 64);
      v128.store(q, f, 80);
      v128.store(q, g, 96);
      v128.store(q, h, 112);
    }
    for (; column + 8 <= inner; column += 8) {
      let p = from + (<usize>column << 2);
      let a = neutral(op), b = a;
      for (let k = 0; k < count; k++) {
        a = combine(op, a, v128.load(p));
        b = combine(op, b, v128.load(p, 16));
        p += stride;
      }
      const q = to + (<usize>column << 2);
      v128.store(q, a);
      v128.store(q, b, 16);
    }
    for (; column < inner; column++) {
      let p = from + (<usize>column << 2);
      let a = neutral(op);
      for (let k = 0; k < count; k++) {
        a = combine(op, a, v128.load_splat<f32>(p));
        p += stride;
      }
      v128.store_lane<f32>(to + (<usize>column << 2), a, 0);
    }
  }
}

export function sumRows(start: i32, end: i32, x: usize, y: usize, n: i32, block: i32, blocks: i32): void {
  rows(Op.Sum, start, end, x, y, n, block, blocks);
}

export function sumColumns(
  start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32, block: i32, blocks: i32,
): void {
  columns(Op.Sum, start, end, x, y, n, inner, block, blocks);
}

export function maxRows(start: i32, end: i32, x: usize, y: usize, n: i32, block: i32, blocks: i32): void {
  rows(Op.Max, start, end, x, y, n, block, blocks);
}

export function maxColumns(
  start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32, block: i32, blocks: i32,
): void {
  columns(Op.Max, start, end, x, y, n, inner, block, blocks);
}

export function sumIntRows(start: i32, end: i32, x: usize, y: usize, n: i32, block: i32, blocks: i32): void {
  rows(Op.SumInt, start, end, x, y, n, block, blocks);
}

export function sumIntColumns(
  start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32, block: i32, blocks: i32,
): void {
  columns(Op.SumInt, start, end, x, y, n, inner, block, blocks);
}

export function maxIntRows(start: i32, end: i32, x: usize, y: usize, n: i32, block: i32, blocks: i32): void {
  rows(Op.MaxInt, start, end, x, y, n, block, blocks);
}

export function maxIntColumns(
  start: i32, end: i32, x: usize, y: usize, n: i32, inner: i32, block: i32, blocks: i32,
): void {
  columns(Op.MaxInt, start, end, x, y, n, inner, block, blocks);
}
