/** segmentSum and segmentMean over rows that are sorted by segment. */
import { expectDType, expectIdPerRow, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import { requireSorted } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { div, maximum } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import type { IndexAttrs } from '../gather/gather.op.ts';
import { reshape } from '../shape/reshape.op.ts';

/** out[s] = Σ x[k] over the k with ids[k] = s;   dx = gather(dout, ids).  Inputs: x, offsets. */
export const segmentSumOp = defineOp<'segmentSum', IndexAttrs>({
  name: 'segmentSum',
  infer: ([x], { index }) => {
    expectDType('segmentSum', 'x', x, 'float32');
    expectRankAtLeast('segmentSum', 'x', x, 1);
    expectIdPerRow('segmentSum', 'segments', index, x);
    requireSorted('segmentSum', index);
    return [{ dtype: x.dtype, shape: x.shape.with(0, index.rows) }];
  },
  reference: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let s = 0; s < index.rows; s++) {
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = offsets.data[s]; k < offsets.data[s + 1]; k++) total += x.data[k * row + c];
        y.data[s * row + c] = total;
      }
    }
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ dout, attrs: { index } }) => [() => gather(dout, index), null],
});

/** The sum of each segment's rows: [entries, …] → [segments, …]; 0 for an empty segment. */
export function segmentSum(x: Tensor, segments: RowIndex): Tensor {
  return segmentSumOp.apply([x, segments.offsets], { index: segments })[0];
}

/** The mean of each segment's rows; 0 for an empty segment. */
export function segmentMean(x: Tensor, segments: RowIndex): Tensor {
  const total = segmentSum(x, segments);
  const perRow = [segments.rows, ...x.shape.slice(1).map(() => 1)];
  return div(total, reshape(maximum(segments.counts, 1), perRow));
}
