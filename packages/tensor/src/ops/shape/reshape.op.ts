/** reshape: the same values, in the same order, under another shape. Copies nothing. */
import { showShape, TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

export interface ReshapeAttrs {
  readonly shape: Shape;
}

/** y = x;   dx = dout under x's shape */
export const reshapeOp = defineOp({
  name: 'reshape',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  viewOf: 'x',
  infer: ({ x }, { shape }: ReshapeAttrs) => ({ y: { dtype: x.dtype, shape } }),
  reference: ({ x }, { y }) => {
    y.data.set(x.data);
  },
  saves: [],
  backward: ({ x }, { dout }) => ({ x: () => reshape(dout.y, x.shape) }),
});

/**
 * One extent may be −1: whatever is left.
 *
 * @example
 * reshape(arange(4), [2, 2]); // [[0, 1], [2, 3]]
 */
export function reshape(x: Tensor, shape: Shape): Tensor {
  return reshapeOp.apply({ x }, { shape: fillIn(x, shape) }).y;
}

function fillIn(x: Tensor, shape: Shape): Shape {
  const open = shape.indexOf(-1);
  const known = sizeOf(shape.filter((_, axis) => axis !== open));
  const resolved = open < 0 ? shape : shape.with(open, x.size / known);
  const valid = resolved.every((extent) => Number.isSafeInteger(extent) && extent >= 0);
  if (!valid || sizeOf(resolved) !== x.size) {
    throw new TensorError(
      'reshape',
      'shape',
      `expected a shape of ${x.size} elements for ${showShape(x.shape)}, got ${showShape(shape)}`,
    );
  }
  return resolved;
}
