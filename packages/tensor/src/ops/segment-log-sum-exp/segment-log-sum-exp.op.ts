/** segmentLogSumExp over rows that are sorted by segment. */
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { segmentSoftmax } from '../segment/segment-softmax.op.ts';
import { expectSegments } from '../segment/segment-sum.op.ts';

/**
 * y[s] = log Σ e^x[k] = top + log Σ e^(x[k] − top) over the k with ids[k] = s, with top the largest x[k];
 * −∞ for an empty segment, and top itself where it is not finite;
 * dx = gather(dout, ids) ⊙ segmentSoftmax(x)
 */
export const segmentLogSumExpOp = defineOp({
  name: 'segmentLogSumExp',
  operands: { x: 'tensor', segments: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, segments }) => {
    expectSegments('segmentLogSumExp', x, segments);
    return { y: { dtype: x.dtype, shape: x.shape.with(0, segments.rows) } };
  },
  reference: 'beside',
  saves: ['x', 'segments'],
  backward: ({ x, segments }, { dout }) => ({
    x: () => mul(gather(dout.y, segments), segmentSoftmax(x, segments)),
  }),
});

export const segmentLogSumExpReference: ReferenceOf<typeof segmentLogSumExpOp> = (
  { x, segments: { rows, offsets } },
  { y },
) => {
  const row = sizeOf(x.shape.slice(1));
  for (let s = 0; s < rows; s++) {
    const [start, end] = [offsets.data[s], offsets.data[s + 1]];
    for (let c = 0; c < row; c++) {
      let top = -Infinity;
      for (let k = start; k < end; k++) top = Math.max(top, x.data[k * row + c]);
      let total = 0;
      for (let k = start; k < end; k++) total += Math.exp(x.data[k * row + c] - top);
      y.data[s * row + c] = Number.isFinite(top) ? top + Math.log(total) : top;
    }
  }
};

/**
 * log Σ e^x of each segment's rows, column by column, without overflow: [entries, …] → [segments, …]; −∞ for an empty
 * segment.
 *
 * @example
 * segmentLogSumExp(tensor([0, 0, 1]), segments([0, 0, 2], 3)); // [0.6931, -Infinity, 1]
 */
export function segmentLogSumExp(x: Tensor, segments: RowIndex): Tensor {
  return segmentLogSumExpOp.apply({ x, segments }, {}).y;
}
