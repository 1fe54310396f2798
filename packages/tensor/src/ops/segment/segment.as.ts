/**
 * Sums and maxima over the entries of a row: segmentSum, scatterAdd, gatherSum and segmentMax. A unit is one row of
 * the result; its entries are added in ascending order. Columns are taken in strips of 40 (the paper's width), 16
 * and 4, whose sums stay in registers.
 */

const enum Op { Sum, Max }

/** How entry k of the grouped order leads to a row of x. */
const enum Route { Direct, Order, OrderFrom }

@inline
function combine(op: i32, a: v128, b: v128): v128 {
  return op == Op.Sum ? f32x4.add(a, b) : f32x4.max(a, b);
}

@inline
function entry(route: i32, k: i32, order: usize, from: usize): usize {
  if (route == Route.Direct) return k;
  const at = <usize>load<i32>(order + (<usize>k << 2));
  return route == Route.Order ? at : <usize>load<i32>(from + (at << 2));
}

@inline
function reduceSegments(
  op: i32, route: i32, start: i32, end: i32, x: usize, offsets: usize, order: usize, from: usize, y: usize, row: i32,
): void {
  const stride = <usize>row << 2;
  for (let s = start; s < end; s++) {
    const first = load<i32>(offsets + (<usize>s << 2));
    const last = load<i32>(offsets + (<usize>s << 2), 4);
    const to = y + <usize>s * stride;
    const initial = op == Op.Sum || first == last ? f32x4.splat(0) : f32x4.splat(-Infinity);
    let column = 0;
    for (; column + 40 <= row; column += 40) {
      const base = x + (<usize>column << 2);
      let a0 = initial, a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0, a8 = a0, a9 = a0;
      for (let k = first; k < last; k++) {
        const p = base + entry(route, k, order, from) * stride;
        a0 = combine(op, a0, v128.load(p));
        a1 = combine(op, a1, v128.load(p, 16));
        a2 = combine(op, a2, v128.load(p, 32));
        a3 = combine(op, a3, v128.load(p, 48));
        a4 = combine(op, a4, v128.load(p, 64));
        a5 = combine(op, a5, v128.load(p, 80));
        a6 = combine(op, a6, v128.load(p, 96));
        a7 = combine(op, a7, v128.load(p, 112));
        a8 = combine(op, a8, v128.load(p, 128));
        a9 = combine(op, a9, v128.load(p, 144));
      }
      const q = to + (<usize>column << 2);
      v128.store(q, a0);
      v128.store(q, a1, 16);
      v128.store(q, a2, 32);
      v128.store(q, a3, 48);
      v128.store(q, a4, 64);
      v128.store(q, a5, 80);
      v128.store(q, a6, 96);
      v128.store(q, a7, 112);
      v128.store(q, a8, 128);
      v128.store(q, a9, 144);
    }
    for (; column + 16 <= row; column += 16) {
      const base = x + (<usize>column << 2);
      let a0 = initial, a1 = a0, a2 = a0, a3 = a0;
      for (let k = first; k < last; k++) {
        const p = base + entry(route, k, order, from) * stride;
        a0 = combine(op, a0, v128.load(p));
        a1 = combine(op, a1, v128.load(p, 16));
        a2 = combine(op, a2, v128.load(p, 32));
        a3 = combine(op, a3, v128.load(p, 48));
      }
      const q = to + (<usize>column << 2);
      v128.store(q, a0);
      v128.store(q, a1, 16);
      v128.store(q, a2, 32);
      v128.store(q, a3, 48);
    }
    for (; column + 4 <= row; column += 4) {
      const base = x + (<usize>column << 2);
      let a = initial;
      for (let k = first; k < last; k++) {
        a = combine(op, a, v128.load(base + entry(route, k, order, from) * stride));
      }
      v128.store(to + (<usize>column << 2), a);
    }
    for (; column < row; column++) {
      const base = x + (<usize>column << 2);
      let a = f32x4.extract_lane(initial, 0);
      for (let k = first; k < last; k++) {
        const value = load<f32>(base + entry(route, k, order, from) * stride);
        a = op == Op.Sum ? a + value : max<f32>(a, value);
      }
      store<f32>(to + (<usize>column << 2), a);
    }
  }
}

export function segmentSum(start: i32, end: i32, x: usize, offsets: usize, y: usize, row: i32): void {
  reduceSegments(Op.Sum, Route.Direct, start, end, x, offsets, 0, 0, y, row);
}

export function scatterAdd(start: i32, end: i32, x: usize, offsets: usize, order: usize, y: usize, row: i32): void {
  reduceSegments(Op.Sum, Route.Order, start, end, x, offsets, order, 0, y, row);
}

export function gatherSum(
  start: i32, end: i32, x: usize, offsets: usize, order: usize, from: usize, y: usize, row: i32,
): void {
  reduceSegments(Op.Sum, Route.OrderFrom, start, end, x, offsets, order, from, y, row);
}

export function segmentMax(start: i32, end: i32, x: usize, offsets: usize, y: usize, row: i32): void {
  reduceSegments(Op.Max, Route.Direct, start, end, x, offsets, 0, 0, y, row);
}
