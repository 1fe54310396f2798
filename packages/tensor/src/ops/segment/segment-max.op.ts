/** segmentMax over rows that are sorted by segment. */
import { expectDType, expectIdPerRow, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import { requireSorted } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { cast } from '../cast/cast.op.ts';
import { div, equal, maximum, mul } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import type { IndexAttrs } from '../gather/gather.op.ts';
import { segmentSum } from './segment-sum.op.ts';

/**
 * out[s] = max x[k] over the k with ids[k] = s, 0 for an empty segment;
 * dx = dout shared equally among the places where the maximum is reached.  Inputs: x, offsets.
 */
export const segmentMaxOp = defineOp<'segmentMax', IndexAttrs>({
  name: 'segmentMax',
  infer: ([x], { index }) => {
    expectDType('segmentMax', 'x', x, 'float32');
    expectRankAtLeast('segmentMax', 'x', x, 1);
    expectIdPerRow('segmentMax', 'segments', index, x);
    requireSorted('segmentMax', index);
    return [{ dtype: x.dtype, shape: x.shape.with(0, index.rows) }];
  },
  reference: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let s = 0; s < index.rows; s++) {
      const [start, end] = [offsets.data[s], offsets.data[s + 1]];
      for (let c = 0; c < row; c++) {
        let best = start === end ? 0 : -Infinity;
        for (let k = start; k < end; k++) best = Math.max(best, x.data[k * row + c]);
        y.data[s * row + c] = best;
      }
    }
  },
  saves: { inputs: [0], outputs: [0] },
  backward: ({ dout, inputs: [x], outputs: [y], attrs: { index } }) => [
    () => {
      const winners = cast(equal(x, gather(y, index)), 'float32');
      const shares = maximum(segmentSum(winners, index), 1);
      return mul(winners, gather(div(dout, shares), index));
    },
    null,
  ],
});

/** The largest of each segment's values, column by column; 0 for an empty segment. */
export function segmentMax(x: Tensor, segments: RowIndex): Tensor {
  return segmentMaxOp.apply([x, segments.offsets], { index: segments })[0];
}
