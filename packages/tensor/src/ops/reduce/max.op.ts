/** max over axes; NaN wins, as it would in a sum. */
import { showShape, TensorError } from '../../core/errors.ts';
import { expectDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxes } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { cast } from '../cast/cast.op.ts';
import { div, equal, mul } from '../elementwise/binary.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { collapse, keptAxes, neighbouringRuns, withoutAxes } from './collapse.ts';
import type { ReduceAttrs } from './collapse.ts';
import { sum } from './sum.op.ts';
import type { ReduceOptions } from './sum.op.ts';

/** y = max x over `axes`;   dx = dout shared equally among the places where the maximum is reached */
export const maxOp = defineOp({
  name: 'max',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { axes }: ReduceAttrs) => {
    expectDType('max', 'x', x, 'float32', 'int32');
    const shape = withoutAxes(x.shape, axes);
    if (collapse(x.shape, axes).n === 0) {
      throw new TensorError(
        'max',
        'shape',
        `expected at least one value to compare, got ${showShape(x.shape)}`,
      );
    }
    return { y: { dtype: x.dtype, shape } };
  },
  reference: 'beside',
  backward: ({ x, y }, { dout, attrs: { axes } }) => ({
    x: () => {
      const kept = keptAxes(x.shape, axes);
      const winners = cast(equal(x, reshape(y, kept)), 'float32');
      return mul(winners, div(reshape(dout.y, kept), sum(winners, axes, { keepDims: true })));
    },
  }),
});

export const maxReference: ReferenceOf<typeof maxOp> = ({ x }, { y }, { axes }) => {
  const { outer, n, inner } = collapse(x.shape, axes);
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let best = -Infinity;
      for (let k = 0; k < n; k++) best = Math.max(best, x.data[(o * n + k) * inner + i]);
      y.data[o * inner + i] = best;
    }
  }
};

/**
 * The largest value over `axes` (one, several, or all).
 *
 * @example
 * max(tensor([[1, 9], [7, 2]]), 1); // [9, 7]
 */
export function max(x: Tensor, axes?: number | Shape, { keepDims = false }: ReduceOptions = {}): Tensor {
  const normal = normaliseAxes('max', axes, x.rank);
  let result = x;
  for (const run of neighbouringRuns(normal)) result = maxOp.apply({ x: result }, { axes: run }).y;
  return reshape(result, keepDims ? keptAxes(x.shape, normal) : result.shape);
}
