/**
 * Arithmetic on shapes: sizes, strides, axes, NumPy broadcasting. What every call of an op needs is written in plain
 * loops: shapes are frozen, and on frozen arrays V8's `every`, `at` and `slice` take 50 to 150 ns.
 */
import { showShape, TensorError } from './errors.ts';

/** The extent of each axis, outermost first; `[]` for a scalar. */
export type Shape = readonly number[];

export function sizeOf(shape: Shape): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) size *= shape[axis];
  return size;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** Row-major strides, in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/** Strides of `shape` read as if broadcast to `target`: 0 along every repeated axis. */
export function broadcastStrides(shape: Shape, target: Shape): number[] {
  const own = stridesOf(shape);
  const lead = target.length - shape.length;
  return target.map((_, axis) => (axis < lead || shape[axis - lead] === 1 ? 0 : own[axis - lead]));
}

/** Checks a shape that a caller gave: whole, non-negative extents. */
export function checkShape(op: string, shape: Shape): void {
  for (const extent of shape) {
    if (!Number.isSafeInteger(extent) || extent < 0) {
      throw new TensorError(op, 'shape', `shape must be whole numbers ≥ 0, got ${showShape(shape)}`);
    }
  }
}

/** NumPy's rule: align at the last axis; extents agree or one of them is 1. */
export function broadcastShapes(op: string, a: Shape, b: Shape): number[] {
  const rank = Math.max(a.length, b.length);
  const shape = new Array<number>(rank);
  for (let back = 1; back <= rank; back++) {
    const left = a[a.length - back] ?? 1;
    const right = b[b.length - back] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new TensorError(
        op,
        'shape',
        `expected shapes that broadcast, got ${showShape(a)} and ${showShape(b)} ` +
          `(axis −${back}: ${left} against ${right})`,
      );
    }
    shape[rank - back] = left === 1 ? right : left;
  }
  return shape;
}

/** Turns an axis counted from either end into one counted from the front. */
export function normaliseAxis(op: string, axis: number, rank: number): number {
  const positive = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(axis) || positive < 0 || positive >= rank) {
    const range = rank === 0 ? 'none: the tensor is a scalar' : `−${rank} … ${rank - 1}`;
    throw new TensorError(op, 'axis', `axis must be in ${range}, got ${axis}`);
  }
  return positive;
}

/** Sorted, distinct axes counted from the front; `undefined` means all of them. */
export function normaliseAxes(op: string, axes: number | Shape | undefined, rank: number): number[] {
  if (axes === undefined) return Array.from({ length: rank }, (_, axis) => axis);
  const given = typeof axes === 'number' ? [axes] : axes;
  const normal = given.map((axis) => normaliseAxis(op, axis, rank)).sort((a, b) => a - b);
  if (new Set(normal).size !== normal.length) {
    throw new TensorError(op, 'axis', `axes must be distinct, got ${showShape(given)}`);
  }
  return normal;
}
