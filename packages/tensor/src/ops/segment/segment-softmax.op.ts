/** segmentSoftmax: the edge softmax, over rows that are sorted by segment. */
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul, sub } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { expectSegments, segmentSum } from './segment-sum.op.ts';

/**
 * y[k] = e^x[k] / Σ e^x[l] over the l of k's segment, shifted by its maximum;
 * dx = y ⊙ (dout − S(dout ⊙ y)), where S gives every row its segment's sum
 */
export const segmentSoftmaxOp = defineOp({
  name: 'segmentSoftmax',
  operands: { x: 'tensor', segments: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, segments }) => {
    expectSegments('segmentSoftmax', x, segments);
    return { y: x };
  },
  reference: 'beside',
  saves: ['y', 'segments'],
  backward: ({ y, segments }, { dout }) => ({ x: () => segmentSoftmaxGrad(y, dout.y, segments) }),
});

export const segmentSoftmaxReference: ReferenceOf<typeof segmentSoftmaxOp> = (
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
      for (let k = start; k < end; k++) y.data[k * row + c] = Math.exp(x.data[k * row + c] - top) / total;
    }
  }
};

/**
 * dx = y ⊙ (g − S(g ⊙ y)), where S gives every row its segment's sum.
 * With u the gradient of dx:  dy = u ⊙ (g − S(g ⊙ y)) − g ⊙ S(u ⊙ y),   dg = y ⊙ (u − S(u ⊙ y)).
 */
export const segmentSoftmaxGradOp = defineOp({
  name: 'segmentSoftmaxGrad',
  operands: { y: 'tensor', g: 'tensor', segments: 'rows' },
  outputs: { dx: 'tensor' },
  infer: ({ y }) => ({ dx: y }),
  reference: 'beside',
  saves: ['y', 'g', 'segments'],
  backward: ({ y, g, segments }, { dout: { dx: u } }) => {
    const spread = (x: Tensor): Tensor => gather(segmentSum(x, segments), segments);
    return {
      y: () => sub(mul(u, sub(g, spread(mul(g, y)))), mul(g, spread(mul(u, y)))),
      g: () => segmentSoftmaxGrad(y, u, segments),
    };
  },
});

export const segmentSoftmaxGradReference: ReferenceOf<typeof segmentSoftmaxGradOp> = (
  { y, g, segments: { rows, offsets } },
  { dx },
) => {
  const row = sizeOf(y.shape.slice(1));
  for (let s = 0; s < rows; s++) {
    const [start, end] = [offsets.data[s], offsets.data[s + 1]];
    for (let c = 0; c < row; c++) {
      let total = 0;
      for (let k = start; k < end; k++) total += g.data[k * row + c] * y.data[k * row + c];
      for (let k = start; k < end; k++) {
        dx.data[k * row + c] = y.data[k * row + c] * (g.data[k * row + c] - total);
      }
    }
  }
};

function segmentSoftmaxGrad(y: Tensor, g: Tensor, segments: RowIndex): Tensor {
  return segmentSoftmaxGradOp.apply({ y, g, segments }, {}).dx;
}

/**
 * Softmax within each segment, column by column: the values of a segment are positive and add up to 1.
 *
 * @example
 * segmentSoftmax(tensor([0, 0, 3]), segments([0, 0, 1], 2)); // [0.5, 0.5, 1]
 */
export function segmentSoftmax(x: Tensor, segments: RowIndex): Tensor {
  return segmentSoftmaxOp.apply({ x, segments }, {}).y;
}
