/** segmentSoftmax: the edge softmax, over rows that are sorted by segment. */
import { expectDType, expectIdPerRow, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import { requireSorted } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul, sub } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import type { IndexAttrs } from '../gather/gather.op.ts';
import { segmentSum } from './segment-sum.op.ts';

/**
 * y[k] = e^x[k] / Σ e^x[l] over the l of k's segment, shifted by its maximum;
 * dx = y ⊙ (dout − S(dout ⊙ y)), where S gives every row its segment's sum.  Inputs: x, offsets.
 */
export const segmentSoftmaxOp = defineOp<'segmentSoftmax', IndexAttrs>({
  name: 'segmentSoftmax',
  infer: ([x], { index }) => {
    expectDType('segmentSoftmax', 'x', x, 'float32');
    expectRankAtLeast('segmentSoftmax', 'x', x, 1);
    expectIdPerRow('segmentSoftmax', 'segments', index, x);
    requireSorted('segmentSoftmax', index);
    return [x];
  },
  reference: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let s = 0; s < index.rows; s++) {
      const [start, end] = [offsets.data[s], offsets.data[s + 1]];
      for (let c = 0; c < row; c++) {
        let top = -Infinity;
        for (let k = start; k < end; k++) top = Math.max(top, x.data[k * row + c]);
        let total = 0;
        for (let k = start; k < end; k++) total += Math.exp(x.data[k * row + c] - top);
        for (let k = start; k < end; k++) y.data[k * row + c] = Math.exp(x.data[k * row + c] - top) / total;
      }
    }
  },
  saves: { inputs: [], outputs: [0] },
  backward: ({ dout, outputs: [y], attrs: { index } }) => [() => segmentSoftmaxGrad(y, dout, index), null],
});

/**
 * dx = y ⊙ (g − S(g ⊙ y)), where S gives every row its segment's sum.  Inputs: y, g, offsets.
 * With u the gradient of dx:  dy = u ⊙ (g − S(g ⊙ y)) − g ⊙ S(u ⊙ y),   dg = y ⊙ (u − S(u ⊙ y)).
 */
export const segmentSoftmaxGradOp = defineOp<'segmentSoftmaxGrad', IndexAttrs>({
  name: 'segmentSoftmaxGrad',
  infer: ([y]) => [y],
  reference: ({ inputs: [y, g, offsets], outputs: [dx], attrs: { index } }) => {
    const row = sizeOf(y.shape.slice(1));
    for (let s = 0; s < index.rows; s++) {
      const [start, end] = [offsets.data[s], offsets.data[s + 1]];
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = start; k < end; k++) total += g.data[k * row + c] * y.data[k * row + c];
        for (let k = start; k < end; k++) {
          dx.data[k * row + c] = y.data[k * row + c] * (g.data[k * row + c] - total);
        }
      }
    }
  },
  saves: { inputs: [0, 1], outputs: [] },
  backward: ({ dout: u, inputs: [y, g], attrs: { index } }) => {
    const spread = (x: Tensor): Tensor => gather(segmentSum(x, index), index);
    return [
      () => sub(mul(u, sub(g, spread(mul(g, y)))), mul(g, spread(mul(u, y)))),
      () => segmentSoftmaxGrad(y, u, index),
      null,
    ];
  },
});

function segmentSoftmaxGrad(y: Tensor, g: Tensor, segments: RowIndex): Tensor {
  return segmentSoftmaxGradOp.apply([y, g, segments.offsets], { index: segments })[0];
}

/** Softmax within each segment, column by column: the values of a segment are positive and add up to 1. */
export function segmentSoftmax(x: Tensor, segments: RowIndex): Tensor {
  return segmentSoftmaxOp.apply([x, segments.offsets], { index: segments })[0];
}
