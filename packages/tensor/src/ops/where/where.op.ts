/** where: a where the mask is true, b elsewhere, with broadcasting. */
import { expectDType, expectSameDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import { broadcastShapes } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { forEachBroadcast } from '../elementwise/broadcast.reference.ts';
import { fill, operands } from '../fill/fill.op.ts';
import { sumTo } from '../reduce/sum.op.ts';

/** y = mask ? a : b;   da = mask ? dout : 0,  db = mask ? 0 : dout */
export const whereOp = defineOp({
  name: 'where',
  infer: ([mask, a, b]) => {
    expectDType('where', 'mask', mask, 'bool');
    expectSameDType('where', a, b);
    const branches = broadcastShapes('where', a.shape, b.shape);
    return [{ dtype: a.dtype, shape: broadcastShapes('where', mask.shape, branches) }];
  },
  reference: ({ inputs: [mask, a, b], outputs: [y] }) => {
    forEachBroadcast(y.shape, [mask.shape, a.shape, b.shape], (i, [atMask, atA, atB]) => {
      y.data[i] = mask.data[atMask] ? a.data[atA] : b.data[atB];
    });
  },
  saves: { inputs: [0], outputs: [] },
  backward: ({ dout, inputs: [mask, a, b] }) => [
    null,
    () => sumTo(where(mask, dout, 0), a.shape),
    () => sumTo(where(mask, 0, dout), b.shape),
  ],
});

export function where(mask: Tensor, a: Tensor | number, b: Tensor | number): Tensor {
  const branches =
    typeof a === 'number' && typeof b === 'number'
      ? [a, b].map((value) => fill({ shape: [], dtype: 'float32', value }, mask.backend))
      : operands('where', a, b);
  return whereOp.apply([mask, ...branches], {})[0];
}
