/** broadcastTo: values repeated along new axes and axes of extent 1. */
import { showShape, TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { broadcastStrides, checkShape } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { sumTo } from '../reduce/sum.op.ts';
import { forEachStrided } from './strided.reference.ts';

export interface BroadcastToAttrs {
  readonly shape: Shape;
}

/** dx = Σ dout over the repeated axes */
export const broadcastToOp = defineOp({
  name: 'broadcastTo',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { shape }: BroadcastToAttrs) => {
    checkShape('broadcastTo', shape);
    const lead = shape.length - x.shape.length;
    const fits = lead >= 0 && x.shape.every((extent, axis) => extent === 1 || extent === shape[axis + lead]);
    if (!fits) {
      throw new TensorError(
        'broadcastTo',
        'shape',
        `expected a shape that ${showShape(x.shape)} broadcasts to, got ${showShape(shape)}`,
      );
    }
    return { y: { dtype: x.dtype, shape } };
  },
  reference: 'beside',
  saves: [],
  backward: ({ x }, { dout }) => ({ x: () => sumTo(dout.y, x.shape) }),
});

export const broadcastToReference: ReferenceOf<typeof broadcastToOp> = ({ x }, { y }) => {
  forEachStrided(y.shape, broadcastStrides(x.shape, y.shape), 0, (i, from) => {
    y.data[i] = x.data[from];
  });
};

/**
 * x repeated along axes of extent 1, and along new ones in front, until it has this shape.
 *
 * @example
 * broadcastTo(tensor([1, 2]), [2, 2]); // [[1, 2], [1, 2]]
 */
export function broadcastTo(x: Tensor, shape: Shape): Tensor {
  return broadcastToOp.apply({ x }, { shape }).y;
}
