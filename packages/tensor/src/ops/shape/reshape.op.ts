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
export const reshapeOp = defineOp<'reshape', ReshapeAttrs>({
  name: 'reshape',
  isView: true,
  infer: ([x], { shape }) => [{ dtype: x.dtype, shape }],
  reference: ({ inputs: [x], outputs: [y] }) => {
    y.data.set(x.data);
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ dout, inputs: [x] }) => [() => reshape(dout, x.shape)],
});

/** One extent may be −1: whatever is left. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  return reshapeOp.apply([x], { shape: fillIn(x, shape) })[0];
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
