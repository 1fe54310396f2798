/** argmax: where along an axis the largest value stands. */
import { showShape, TensorError } from '../../core/errors.ts';
import { expectDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxis } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { collapse, withoutAxes } from './collapse.ts';
import type { ReduceAttrs } from './collapse.ts';

/** The first of equals; the first NaN if there is one. */
export const argmaxOp = defineOp({
  name: 'argmax',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { axes }: ReduceAttrs) => {
    expectDType('argmax', 'x', x, 'float32', 'int32');
    if (collapse(x.shape, axes).n === 0) {
      throw new TensorError(
        'argmax',
        'shape',
        `expected at least one value to compare, got ${showShape(x.shape)}`,
      );
    }
    return { y: { dtype: 'int32', shape: withoutAxes(x.shape, axes) } };
  },
  reference: 'beside',
});

export const argmaxReference: ReferenceOf<typeof argmaxOp> = ({ x }, { y }, { axes }) => {
  const { outer, n, inner } = collapse(x.shape, axes);
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      const at = (k: number): number => x.data[(o * n + k) * inner + i];
      let best = 0;
      for (let k = 1; k < n && !Number.isNaN(at(best)); k++) {
        if (at(k) > at(best) || Number.isNaN(at(k))) best = k;
      }
      y.data[o * inner + i] = best;
    }
  }
};

/**
 * Where along an axis, the last unless said, the largest value stands: the first of several, as int32.
 *
 * @example
 * argmax(tensor([[1, 9, 3], [7, 7, 2]])); // [1, 0]
 */
export function argmax(x: Tensor, axis = -1): Tensor {
  return argmaxOp.apply({ x }, { axes: [normaliseAxis('argmax', axis, x.rank)] }).y;
}
