/** where: a where the mask is true, b elsewhere, with broadcasting. */
import { expectDType, expectSameDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { broadcastShapes } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { forEachBroadcast } from '../elementwise/broadcast.reference.ts';
import { fill, operands } from '../fill/fill.op.ts';
import { sumTo } from '../reduce/sum.op.ts';

/** y = mask ? a : b;   da = mask ? dout : 0,  db = mask ? 0 : dout */
export const whereOp = defineOp({
  name: 'where',
  operands: { mask: 'tensor', a: 'tensor', b: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ mask, a, b }) => {
    expectDType('where', 'mask', mask, 'bool');
    expectSameDType('where', a, b);
    const branches = broadcastShapes('where', a.shape, b.shape);
    return { y: { dtype: a.dtype, shape: broadcastShapes('where', mask.shape, branches) } };
  },
  reference: 'beside',
  saves: ['mask'],
  backward: ({ mask, a, b }, { dout: { y: dy } }) => ({
    mask: null,
    a: () => sumTo(where(mask, dy, 0), a.shape),
    b: () => sumTo(where(mask, 0, dy), b.shape),
  }),
});

export const whereReference: ReferenceOf<typeof whereOp> = ({ mask, a, b }, { y }) => {
  forEachBroadcast(y.shape, [mask.shape, a.shape, b.shape], (i, [atMask, atA, atB]) => {
    y.data[i] = mask.data[atMask] ? a.data[atA] : b.data[atB];
  });
};

/**
 * `yes` where the mask is not 0, else `no`; all three broadcast.
 *
 * @example
 * where(tensor([true, false]), tensor([1, 2]), 0); // [1, 0]
 */
export function where(mask: Tensor, yes: Tensor | number, no: Tensor | number): Tensor {
  const [a, b] =
    typeof yes === 'number' && typeof no === 'number'
      ? [yes, no].map((value) => fill({ shape: [], dtype: 'float32', value }, mask.backend))
      : operands('where', yes, no);
  return whereOp.apply({ mask, a, b }, {}).y;
}
