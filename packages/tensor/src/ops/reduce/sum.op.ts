/** sum over axes, and its inverse twin of broadcasting, sumTo. */
import { expectDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxes, sameShape } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { div } from '../elementwise/binary.op.ts';
import { broadcastTo } from '../shape/broadcast-to.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { collapse, keptAxes, neighbouringRuns, withoutAxes } from './collapse.ts';
import type { ReduceAttrs } from './collapse.ts';

/** y = Σ x over `axes`;   dx = dout repeated along them */
export const sumOp = defineOp({
  name: 'sum',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { axes }: ReduceAttrs) => {
    expectDType('sum', 'x', x, 'float32', 'int32');
    return { y: { dtype: x.dtype, shape: withoutAxes(x.shape, axes) } };
  },
  reference: 'beside',
  saves: [],
  backward: ({ x }, { dout, attrs }) => ({
    x: () => broadcastTo(reshape(dout.y, keptAxes(x.shape, attrs.axes)), x.shape),
  }),
});

export const sumReference: ReferenceOf<typeof sumOp> = ({ x }, { y }, { axes }) => {
  const { outer, n, inner } = collapse(x.shape, axes);
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let total = 0;
      for (let k = 0; k < n; k++) total += x.data[(o * n + k) * inner + i];
      y.data[o * inner + i] = total;
    }
  }
};

/** What reductions can be told. */
export interface ReduceOptions {
  /** Leaves each reduced axis with extent 1, so that the result broadcasts against x. */
  readonly keepDims?: boolean;
}

/**
 * The sum over `axes` (one, several, or all).
 *
 * @example
 * sum(tensor([[1, 3], [5, 7]])); // 16
 * sum(tensor([[1, 3], [5, 7]]), 0); // [6, 10]
 */
export function sum(x: Tensor, axes?: number | Shape, { keepDims = false }: ReduceOptions = {}): Tensor {
  const normal = normaliseAxes('sum', axes, x.rank);
  let result = x;
  for (const run of neighbouringRuns(normal)) result = sumOp.apply({ x: result }, { axes: run }).y;
  return reshape(result, keepDims ? keptAxes(x.shape, normal) : result.shape);
}

/**
 * The mean over `axes` (one, several, or all).
 *
 * @example
 * mean(tensor([[1, 3], [5, 7]]), 1); // [2, 6]
 */
export function mean(x: Tensor, axes?: number | Shape, options: ReduceOptions = {}): Tensor {
  expectDType('mean', 'x', x, 'float32');
  const normal = normaliseAxes('mean', axes, x.rank);
  const count = normal.reduce((product, axis) => product * x.shape[axis], 1);
  return div(sum(x, normal, options), count);
}

/**
 * Undoes broadcasting: sums `x` down to `shape`, which broadcasts to x's.
 *
 * @example
 * sumTo(tensor([[1, 2], [3, 4]]), [1, 2]); // [[4, 6]]
 */
export function sumTo(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const lead = x.rank - shape.length;
  const axes = x.shape.flatMap((extent, axis) =>
    axis < lead || (shape[axis - lead] === 1 && extent !== 1) ? [axis] : [],
  );
  return reshape(sum(x, axes), shape);
}
