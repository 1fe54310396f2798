/** gatherPair: rows of one tensor by two indices, in one pass. */
import { expectDType, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { gradientTerms } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { gatherReference, scattered } from '../gather/gather.op.ts';

/** out₀ = gather(x, index₀),  out₁ = gather(x, index₁) */
export const gatherPairOp = defineOp({
  name: 'gatherPair',
  operands: { x: 'tensor', index0: 'rows', index1: 'rows' },
  outputs: { out0: 'tensor', out1: 'tensor' },
  infer: ({ x, index0, index1 }) => {
    expectDType('gatherPair', 'x', x, 'float32');
    expectRankAtLeast('gatherPair', 'x', x, 1);
    const [out0, out1] = [index0, index1].map((index, i) => {
      expectIndexInto('gatherPair', `index ${i}`, index, x);
      return { dtype: x.dtype, shape: x.shape.with(0, index.length) };
    });
    return { out0, out1 };
  },
  reference: 'beside',
  saves: ['index0', 'index1'],
  backward: ({ index0, index1 }, { dout: { out0, out1 } }) => ({
    x: () =>
      gradientTerms([...(out0 ? [scattered(out0, index0)] : []), ...(out1 ? [scattered(out1, index1)] : [])]),
  }),
});

export const gatherPairReference: ReferenceOf<typeof gatherPairOp> = (
  { x, index0, index1 },
  { out0, out1 },
) => {
  gatherReference({ x, index: index0 }, { y: out0 }, {});
  gatherReference({ x, index: index1 }, { y: out1 }, {});
};

/**
 * The rows of `x` that each index names.
 *
 * @example
 * const [a, b] = gatherPair(tensor([1, 2]), rowIndex([1], 2), rowIndex([0, 1], 2));
 * a; // [2]
 * b; // [1, 2]
 */
export function gatherPair(x: Tensor, first: RowIndex, second: RowIndex): readonly [Tensor, Tensor] {
  const { out0, out1 } = gatherPairOp.apply({ x, index0: first, index1: second }, {});
  return [out0, out1];
}
