/** gatherSum: a message-passing step that needs no tensor of messages. */
import { TensorError } from '../../core/errors.ts';
import { expectDType, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

export interface GatherSumAttrs {
  readonly from: RowIndex;
  readonly to: RowIndex;
}

/**
 * out[r] = Σ x[from e] over the edges e with to e = r, that is scatterAdd(gather(x, from), to);
 * dx = gatherSum(dout, to, from).  Inputs: x, ids of from, offsets and order of to.
 */
export const gatherSumOp = defineOp<'gatherSum', GatherSumAttrs>({
  name: 'gatherSum',
  infer: ([x], { from, to }) => {
    expectDType('gatherSum', 'x', x, 'float32');
    expectRankAtLeast('gatherSum', 'x', x, 1);
    expectIndexInto('gatherSum', 'from', from, x);
    if (from.length !== to.length) {
      throw new TensorError(
        'gatherSum',
        'shape',
        `expected one 'to' for each 'from', got ${to.length} for ${from.length}`,
      );
    }
    return [{ dtype: 'float32', shape: x.shape.with(0, to.rows) }];
  },
  reference: ({ inputs: [x, from, offsets, order], outputs: [y], attrs: { to } }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let r = 0; r < to.rows; r++) {
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) {
          total += x.data[from.data[order.data[k]] * row + c];
        }
        y.data[r * row + c] = total;
      }
    }
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ dout, attrs: { from, to } }) => [() => gatherSum(dout, to, from), null, null, null],
});

/** Adds row `from[e]` of x to row `to[e]` of the result, for every edge e: [from.rows, …] → [to.rows, …]. */
export function gatherSum(x: Tensor, from: RowIndex, to: RowIndex): Tensor {
  return gatherSumOp.apply([x, from.ids, to.offsets, to.order], { from, to })[0];
}
