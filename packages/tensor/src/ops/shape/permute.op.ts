/** permute: axes in another order. */
import { showShape, TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxes, normaliseAxis, stridesOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { forEachStrided } from './strided.reference.ts';

export interface PermuteAttrs {
  /** Axis a of the result is axis `axes[a]` of x. */
  readonly axes: Shape;
}

/** y[i_axes…] = x[i…];   dx = dout with the inverse permutation */
export const permuteOp = defineOp({
  name: 'permute',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { axes }: PermuteAttrs) => ({
    y: { dtype: x.dtype, shape: axes.map((axis) => x.shape[axis]) },
  }),
  reference: 'beside',
  saves: [],
  backward: (_values, { dout, attrs: { axes } }) => ({
    x: () =>
      permute(
        dout.y,
        axes.map((_, axis) => axes.indexOf(axis)),
      ),
  }),
});

export const permuteReference: ReferenceOf<typeof permuteOp> = ({ x }, { y }, { axes }) => {
  const strides = stridesOf(x.shape);
  forEachStrided(
    y.shape,
    axes.map((axis) => strides[axis]),
    0,
    (i, from) => {
      y.data[i] = x.data[from];
    },
  );
};

/**
 * x with its axes in another order: axis i of the result is axis axes[i] of x.
 *
 * @example
 * permute(ones([2, 3, 4]), [2, 0, 1]).shape; // [4, 2, 3]
 */
export function permute(x: Tensor, axes: Shape): Tensor {
  const normal = axes.map((axis) => normaliseAxis('permute', axis, x.rank));
  if (normaliseAxes('permute', axes, x.rank).length !== x.rank) {
    throw new TensorError(
      'permute',
      'axis',
      `expected each of the ${x.rank} axes of ${showShape(x.shape)} once, got ${showShape(axes)}`,
    );
  }
  return permuteOp.apply({ x }, { axes: normal }).y;
}

/**
 * Two axes exchanged; the last two unless said.
 *
 * @example
 * transpose(tensor([[1, 2], [3, 4]])); // [[1, 3], [2, 4]]
 */
export function transpose(x: Tensor, a = -2, b = -1): Tensor {
  const first = normaliseAxis('transpose', a, x.rank);
  const second = normaliseAxis('transpose', b, x.rank);
  const axes = x.shape.map((_, axis) => (axis === first ? second : axis === second ? first : axis));
  return permute(x, axes);
}
