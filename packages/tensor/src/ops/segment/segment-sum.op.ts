/** segmentSum and segmentMean over rows that are sorted by segment. */
import type { TensorSpec } from '../../core/dtype.ts';
import { expectDType, expectIdPerRow, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { requireSorted } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { div, maximum } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { reshape } from '../shape/reshape.op.ts';

/** out[s] = Σ x[k] over the k with ids[k] = s;   dx = gather(dout, ids) */
export const segmentSumOp = defineOp({
  name: 'segmentSum',
  operands: { x: 'tensor', segments: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, segments }) => {
    expectSegments('segmentSum', x, segments);
    return { y: { dtype: x.dtype, shape: x.shape.with(0, segments.rows) } };
  },
  reference: 'beside',
  saves: ['segments'],
  backward: ({ segments }, { dout }) => ({ x: () => gather(dout.y, segments) }),
});

export const segmentSumReference: ReferenceOf<typeof segmentSumOp> = (
  { x, segments: { rows, offsets } },
  { y },
) => {
  const row = sizeOf(x.shape.slice(1));
  for (let s = 0; s < rows; s++) {
    for (let c = 0; c < row; c++) {
      let total = 0;
      for (let k = offsets.data[s]; k < offsets.data[s + 1]; k++) total += x.data[k * row + c];
      y.data[s * row + c] = total;
    }
  }
};

/** Checks that x has rows of float32, each with its segment, side by side. */
export function expectSegments(op: string, x: TensorSpec, segments: RowIndex): void {
  expectDType(op, 'x', x, 'float32');
  expectRankAtLeast(op, 'x', x, 1);
  expectIdPerRow(op, 'segments', segments, x);
  requireSorted(op, segments);
}

/**
 * The sum of each segment's rows: [entries, …] → [segments, …]; 0 for an empty segment.
 *
 * @example
 * segmentSum(tensor([1, 5, 2]), segments([0, 0, 1], 2)); // [6, 2]
 */
export function segmentSum(x: Tensor, segments: RowIndex): Tensor {
  return segmentSumOp.apply({ x, segments }, {}).y;
}

/**
 * The mean of each segment's rows; 0 for an empty segment.
 *
 * @example
 * segmentMean(tensor([1, 5, 2]), segments([0, 0, 1], 2)); // [3, 2]
 */
export function segmentMean(x: Tensor, segments: RowIndex): Tensor {
  expectSegments('segmentMean', x, segments);
  const total = segmentSum(x, segments);
  const perRow = [segments.rows, ...x.shape.slice(1).map(() => 1)];
  return div(total, reshape(maximum(segments.counts, 1), perRow));
}
