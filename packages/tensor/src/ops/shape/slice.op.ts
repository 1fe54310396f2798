/** slice: a box cut out of a tensor; split: a tensor cut into boxes along an axis. */
import { showShape, TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxis, stridesOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { pad } from './pad.op.ts';
import { forEachStrided } from './strided.reference.ts';

export interface SliceAttrs {
  /** For every axis, the first index and the one after the last. */
  readonly starts: Shape;
  readonly ends: Shape;
}

/** y[i…] = x[i + start…];   dx = dout padded with zeros */
export const sliceOp = defineOp({
  name: 'slice',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { starts, ends }: SliceAttrs) => ({
    y: { dtype: x.dtype, shape: ends.map((end, axis) => end - starts[axis]) },
  }),
  reference: 'beside',
  saves: [],
  backward: ({ x }, { dout, attrs: { starts, ends } }) => ({
    x: () =>
      pad(
        dout.y,
        x.shape.map((extent, axis) => [starts[axis], extent - ends[axis]]),
      ),
  }),
});

export const sliceReference: ReferenceOf<typeof sliceOp> = ({ x }, { y }, { starts }) => {
  const strides = stridesOf(x.shape);
  const first = starts.reduce((offset, start, axis) => offset + start * strides[axis], 0);
  forEachStrided(y.shape, strides, first, (i, from) => {
    y.data[i] = x.data[from];
  });
};

/**
 * x[starts[0]…ends[0], starts[1]…ends[1], …], ends excluded; negative numbers count from the end of the axis.
 * Axes beyond those given are taken whole.
 *
 * @example
 * slice(arange(5), [1], [3]); // [1, 2]
 */
export function slice(x: Tensor, starts: Shape, ends: Shape): Tensor {
  if (starts.length !== ends.length || starts.length > x.rank) {
    throw new TensorError(
      'slice',
      'shape',
      `expected a start and an end for at most ${x.rank} axes, got ${showShape(starts)} and ${showShape(ends)}`,
    );
  }
  const resolve = (given: Shape, whole: (extent: number) => number): number[] =>
    x.shape.map((extent, axis) => {
      if (axis >= given.length) return whole(extent);
      return given[axis] < 0 ? given[axis] + extent : given[axis];
    });
  const from = resolve(starts, () => 0);
  const to = resolve(ends, (extent) => extent);
  const inside = x.shape.every(
    (extent, axis) => 0 <= from[axis] && from[axis] <= to[axis] && to[axis] <= extent,
  );
  if (!inside || ![...from, ...to].every(Number.isInteger)) {
    throw new TensorError(
      'slice',
      'index',
      `expected 0 ≤ start ≤ end ≤ extent on every axis of ${showShape(x.shape)}, ` +
        `got starts ${showShape(starts)} and ends ${showShape(ends)}`,
    );
  }
  return sliceOp.apply({ x }, { starts: from, ends: to }).y;
}

/**
 * Cuts `x` along `axis` into equal parts (their number) or parts of the given extents.
 *
 * @example
 * const [first, second] = split(arange(4), 2);
 * first; // [0, 1]
 * second; // [2, 3]
 */
export function split(x: Tensor, parts: number | Shape, axis = 0): Tensor[] {
  const along = normaliseAxis('split', axis, x.rank);
  const extent = x.shape[along];
  const extents = typeof parts === 'number' ? new Array<number>(parts).fill(extent / parts) : parts;
  const whole = extents.every((part) => Number.isInteger(part) && part >= 0);
  if (!whole || extents.reduce((total, part) => total + part, 0) !== extent) {
    const wanted = typeof parts === 'number' ? `${parts} equal parts` : showShape(parts);
    throw new TensorError(
      'split',
      'shape',
      `expected parts that add up to ${extent} (axis ${along} of ${showShape(x.shape)}), got ${wanted}`,
    );
  }
  let start = 0;
  return extents.map((part) => {
    const starts = x.shape.map((_, a) => (a === along ? start : 0));
    const ends = x.shape.map((whole_, a) => (a === along ? start + part : whole_));
    start += part;
    return sliceOp.apply({ x }, { starts, ends }).y;
  });
}
