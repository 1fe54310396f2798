/** gather and scatterAdd: rows by index, and back. Each is the other's gradient. */
import { isRecording } from '../../autograd/tape.ts';
import { expectDType, expectIdPerRow, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import type { Scattered } from '../scatter-all/scatter-add-all.op.ts';
import { segmentSumOp } from '../segment/segment-sum.op.ts';

export interface IndexAttrs {
  readonly index: RowIndex;
}

/** out[k] = x[ids[k]];   dx = scatterAdd(dout, index).  Inputs: x, ids. */
export const gatherOp = defineOp<'gather', IndexAttrs>({
  name: 'gather',
  infer: ([x], { index }) => {
    expectRankAtLeast('gather', 'x', x, 1);
    expectIndexInto('gather', 'index', index, x);
    return [{ dtype: x.dtype, shape: x.shape.with(0, index.length) }];
  },
  reference: ({ inputs: [x, ids], outputs: [y] }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let k = 0; k < ids.data.length; k++) {
      y.data.set(x.data.subarray(ids.data[k] * row, (ids.data[k] + 1) * row), k * row);
    }
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ dout, attrs: { index } }) => [() => scattered(dout, index), null],
});

/**
 * out[r] = Σ x[k] over the k with ids[k] = r, in ascending order of k;   dx = gather(dout, index).
 * The sort was done when the index was made: this is a segment sum that reads x through `order`.
 * Inputs: x, offsets, order.
 */
export const scatterAddOp = defineOp<'scatterAdd', IndexAttrs>({
  name: 'scatterAdd',
  infer: ([x], { index }) => {
    expectDType('scatterAdd', 'x', x, 'float32');
    expectRankAtLeast('scatterAdd', 'x', x, 1);
    expectIdPerRow('scatterAdd', 'index', index, x);
    return [{ dtype: x.dtype, shape: x.shape.with(0, index.rows) }];
  },
  reference: ({ inputs: [x, offsets, order], outputs: [y], attrs: { index } }) => {
    const row = sizeOf(x.shape.slice(1));
    for (let r = 0; r < index.rows; r++) {
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) total += x.data[order.data[k] * row + c];
        y.data[r * row + c] = total;
      }
    }
  },
  saves: { inputs: [], outputs: [] },
  backward: ({ dout, attrs: { index } }) => [() => gather(dout, index), null, null],
});

/** Rows with more entries are summed by many hands, and by themselves. */
const fewEntries = 64;

/** scatterAdd(x, index), put off until all that goes to the same rows can be added in one pass. */
export function scattered(x: Tensor, index: RowIndex): Tensor | Scattered {
  if (isRecording() || index.longest > fewEntries) return scatterAdd(x, index);
  return { rows: x, index };
}

/** The rows of `x` that `index` names: [rows, …] → [index.length, …]. */
export function gather(x: Tensor, index: RowIndex): Tensor {
  return gatherOp.apply([x, index.ids], { index })[0];
}

/** Adds row k of `x` to row ids[k] of the result: [index.length, …] → [index.rows, …]. */
export function scatterAdd(x: Tensor, index: RowIndex): Tensor {
  if (index.sorted) return segmentSumOp.apply([x, index.offsets], { index })[0];
  return scatterAddOp.apply([x, index.offsets, index.order], { index })[0];
}
