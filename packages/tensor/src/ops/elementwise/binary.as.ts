/**
 * Elementwise functions of two tensors. A unit is one row of `n` values of the result, the last one cut off at
 * `total`; along a row each operand is either walked through (step 1) or one repeated value (step 0). Where a
 * row of an operand starts follows from `table`: extent and both strides of each outer axis, innermost first.
 */
import { pow4 } from '../../backends/wasm/assembly/power.as';
import { loadPart, nmadd, storePart } from '../../backends/wasm/assembly/vectors.as';

const enum Op {
  Add, Sub, Mul, Div, Max, Min, Pow, TanhGrad, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual,
  IntAdd, IntSub, IntMul, IntMax, IntMin, IntEqual, IntNotEqual, IntLess, IntLessEqual, IntGreater, IntGreaterEqual,
}

// `op` is a constant wherever this is inlined: one branch is left of the chain.
@inline
function apply(op: i32, a: v128, b: v128): v128 {
  if (op == Op.Add) return f32x4.add(a, b);
  if (op == Op.Sub) return f32x4.sub(a, b);
  if (op == Op.Mul) return f32x4.mul(a, b);
  if (op == Op.Div) return f32x4.div(a, b);
  if (op == Op.Max) return f32x4.max(a, b);
  if (op == Op.Min) return f32x4.min(a, b);
  if (op == Op.Pow) return pow4(a, b);
  if (op == Op.TanhGrad) return f32x4.mul(a, nmadd(b, b, f32x4.splat(1)));
  if (op == Op.IntAdd) return i32x4.add(a, b);
  if (op == Op.IntSub) return i32x4.sub(a, b);
  if (op == Op.IntMul) return i32x4.mul(a, b);
  if (op == Op.IntMax) return i32x4.max_s(a, b);
  if (op == Op.IntMin) return i32x4.min_s(a, b);
  return v128.and(compare(op, a, b), i32x4.splat(1));
}

@inline
function compare(op: i32, a: v128, b: v128): v128 {
  if (op == Op.Equal) return f32x4.eq(a, b);
  if (op == Op.NotEqual) return f32x4.ne(a, b);
  if (op == Op.Less) return f32x4.lt(a, b);
  if (op == Op.LessEqual) return f32x4.le(a, b);
  if (op == Op.Greater) return f32x4.gt(a, b);
  if (op == Op.GreaterEqual) return f32x4.ge(a, b);
  if (op == Op.IntEqual) return i32x4.eq(a, b);
  if (op == Op.IntNotEqual) return i32x4.ne(a, b);
  if (op == Op.IntLess) return i32x4.lt_s(a, b);
  if (op == Op.IntLessEqual) return i32x4.le_s(a, b);
  if (op == Op.IntGreater) return i32x4.gt_s(a, b);
  return i32x4.ge_s(a, b);
}

@inline
function rows(
  op: i32, start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  for (let r = start; r < end; r++) {
    let index = r;
    let entry = table;
    let pa = a;
    let pb = b;
    for (let axis = 1; axis < axes; axis++) {
      const extent = load<i32>(entry);
      const outer = index / extent;
      const inner = index - outer * extent;
      pa += <usize>(inner * load<i32>(entry, 4)) << 2;
      pb += <usize>(inner * load<i32>(entry, 8)) << 2;
      index = outer;
      entry += 12;
    }
    pa += <usize>(index * load<i32>(entry, 4)) << 2;
    pb += <usize>(index * load<i32>(entry, 8)) << 2;
    let py = y + (<usize>(r * n) << 2);
    const count = min(n, total - r * n);
    const stop = py + (<usize>(count & ~3) << 2);
    if (stepA & stepB) {
      while (py < stop) {
        v128.store(py, apply(op, v128.load(pa), v128.load(pb)));
        pa += 16;
        pb += 16;
        py += 16;
      }
    } else if (stepA) {
      const vb = v128.load_splat<f32>(pb);
      while (py < stop) {
        v128.store(py, apply(op, v128.load(pa), vb));
        pa += 16;
        py += 16;
      }
    } else {
      const va = v128.load_splat<f32>(pa);
      if (stepB) {
        while (py < stop) {
          v128.store(py, apply(op, va, v128.load(pb)));
          pb += 16;
          py += 16;
        }
      } else {
        const v = apply(op, va, v128.load_splat<f32>(pb));
        while (py < stop) {
          v128.store(py, v);
          py += 16;
        }
      }
    }
    const rest = count & 3;
    if (rest) {
      // 1 in the unused lanes is an ordinary operand of every function.
      const one = f32x4.splat(1);
      const va = stepA ? loadPart(pa, rest, one) : v128.load_splat<f32>(pa);
      const vb = stepB ? loadPart(pb, rest, one) : v128.load_splat<f32>(pb);
      storePart(py, apply(op, va, vb), rest);
    }
  }
}

export function add(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Add, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function sub(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Sub, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function mul(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Mul, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function div(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Div, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function tanhGrad(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.TanhGrad, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function maximum(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Max, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function minimum(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Min, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function pow(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Pow, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function equal(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Equal, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function notEqual(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.NotEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function less(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Less, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function lessEqual(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.LessEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function greater(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.Greater, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function greaterEqual(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.GreaterEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function addInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntAdd, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function subInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntSub, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function mulInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntMul, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function maximumInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntMax, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function minimumInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntMin, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function equalInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function notEqualInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntNotEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function lessInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntLess, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function lessEqualInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntLessEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function greaterInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntGreater, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}

export function greaterEqualInt(
  start: i32, end: i32, a: usize, b: usize, y: usize, total: i32, n: i32, stepA: i32, stepB: i32, axes: i32, table: usize,
): void {
  rows(Op.IntGreaterEqual, start, end, a, b, y, total, n, stepA, stepB, axes, table);
}
