/** segmentMax over rows that are sorted by segment. */
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { cast } from '../cast/cast.op.ts';
import { div, equal, maximum, mul } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { expectSegments, segmentSum } from './segment-sum.op.ts';

/**
 * out[s] = max x[k] over the k with ids[k] = s, 0 for an empty segment;
 * dx = dout shared equally among the places where the maximum is reached
 */
export const segmentMaxOp = defineOp({
  name: 'segmentMax',
  operands: { x: 'tensor', segments: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, segments }) => {
    expectSegments('segmentMax', x, segments);
    return { y: { dtype: x.dtype, shape: x.shape.with(0, segments.rows) } };
  },
  reference: 'beside',
  backward: ({ x, y, segments }, { dout }) => ({
    x: () => {
      const winners = cast(equal(x, gather(y, segments)), 'float32');
      const shares = maximum(segmentSum(winners, segments), 1);
      return mul(winners, gather(div(dout.y, shares), segments));
    },
  }),
});

export const segmentMaxReference: ReferenceOf<typeof segmentMaxOp> = (
  { x, segments: { rows, offsets } },
  { y },
) => {
  const row = sizeOf(x.shape.slice(1));
  for (let s = 0; s < rows; s++) {
    const [start, end] = [offsets.data[s], offsets.data[s + 1]];
    for (let c = 0; c < row; c++) {
      let best = start === end ? 0 : -Infinity;
      for (let k = start; k < end; k++) best = Math.max(best, x.data[k * row + c]);
      y.data[s * row + c] = best;
    }
  }
};

/**
 * The largest of each segment's values, column by column; 0 for an empty segment.
 *
 * @example
 * segmentMax(tensor([1, 5, 2]), segments([0, 0, 1], 2)); // [5, 2]
 */
export function segmentMax(x: Tensor, segments: RowIndex): Tensor {
  return segmentMaxOp.apply({ x, segments }, {}).y;
}
