/** gatherSum: a message-passing step that needs no tensor of messages. */
import { expectAsMany, expectDType, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

/**
 * out[r] = Σ x[from e] over the edges e with to e = r, that is scatterAdd(gather(x, from), to);
 * dx = gatherSum(dout, to, from)
 */
export const gatherSumOp = defineOp({
  name: 'gatherSum',
  operands: { x: 'tensor', from: 'rows', to: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, from, to }) => {
    expectDType('gatherSum', 'x', x, 'float32');
    expectRankAtLeast('gatherSum', 'x', x, 1);
    expectIndexInto('gatherSum', 'from', from, x);
    expectAsMany('gatherSum', "one 'to' for each 'from'", to.length, from.length);
    return { y: { dtype: 'float32', shape: x.shape.with(0, to.rows) } };
  },
  reference: 'beside',
  saves: ['from', 'to'],
  backward: ({ from, to }, { dout }) => ({ x: () => gatherSum(dout.y, to, from) }),
});

export const gatherSumReference: ReferenceOf<typeof gatherSumOp> = (
  { x, from, to: { rows, offsets, order } },
  { y },
) => {
  const row = sizeOf(x.shape.slice(1));
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < row; c++) {
      let total = 0;
      for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) {
        total += x.data[from.ids.data[order.data[k]] * row + c];
      }
      y.data[r * row + c] = total;
    }
  }
};

/**
 * Adds row `from[e]` of x to row `to[e]` of the result, for every edge e: [from.rows, …] → [to.rows, …].
 *
 * @example
 * gatherSum(tensor([1, 2]), rowIndex([0, 1, 1], 2), rowIndex([0, 0, 2], 3)); // [3, 0, 2]
 */
export function gatherSum(x: Tensor, from: RowIndex, to: RowIndex): Tensor {
  return gatherSumOp.apply({ x, from, to }, {}).y;
}
