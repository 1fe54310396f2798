/** gatherPair: rows of one tensor by two indices, in one pass. */
import { expectDType, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { gatherOp, scattered } from '../gather/gather.op.ts';

export interface GatherPairAttrs {
  readonly indices: readonly [RowIndex, RowIndex];
}

/** out₀ = gather(x, index₀),  out₁ = gather(x, index₁).  Inputs: x, ids of index₀, x, ids of index₁. */
export const gatherPairOp = defineOp<'gatherPair', GatherPairAttrs>({
  name: 'gatherPair',
  infer: ([x], { indices }) => {
    expectDType('gatherPair', 'x', x, 'float32');
    expectRankAtLeast('gatherPair', 'x', x, 1);
    return indices.map((index, i) => {
      expectIndexInto('gatherPair', `index ${i}`, index, x);
      return { dtype: x.dtype, shape: x.shape.with(0, index.length) };
    });
  },
  reference: ({ inputs, outputs, attrs: { indices } }) => {
    indices.forEach((index, i) => {
      gatherOp.reference({ inputs: inputs.slice(2 * i, 2 * i + 2), outputs: [outputs[i]], attrs: { index } });
    });
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ douts, attrs: { indices } }) =>
    indices.flatMap((index, i) => {
      const dout = douts[i];
      return [dout && (() => scattered(dout, index)), null];
    }),
});

/** The rows of `x` that each index names. */
export function gatherPair(x: Tensor, first: RowIndex, second: RowIndex): readonly [Tensor, Tensor] {
  const [a, b] = gatherPairOp.apply([x, first.ids, x, second.ids], { indices: [first, second] });
  return [a, b];
}
