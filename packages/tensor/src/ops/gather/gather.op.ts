/** gather and scatterAdd: rows by index, and back. Each is the other's gradient. */
import { expectDType, expectIdPerRow, expectIndexInto, expectRankAtLeast } from '../../core/expect.ts';
import { scatteredRows } from '../../core/gradient.ts';
import type { ScatteredRows } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { isRecording } from '../../core/recording.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

/** out[k] = x[ids[k]];   dx = scatterAdd(dout, index) */
export const gatherOp = defineOp({
  name: 'gather',
  operands: { x: 'tensor', index: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, index }) => {
    expectRankAtLeast('gather', 'x', x, 1);
    expectIndexInto('gather', 'index', index, x);
    return { y: { dtype: x.dtype, shape: x.shape.with(0, index.length) } };
  },
  reference: 'beside',
  saves: ['index'],
  backward: ({ index }, { dout }) => ({ x: () => scattered(dout.y, index) }),
});

export const gatherReference: ReferenceOf<typeof gatherOp> = ({ x, index: { ids } }, { y }) => {
  const row = sizeOf(x.shape.slice(1));
  for (let k = 0; k < ids.data.length; k++) {
    y.data.set(x.data.subarray(ids.data[k] * row, (ids.data[k] + 1) * row), k * row);
  }
};

/**
 * out[r] = Σ x[k] over the k with ids[k] = r, in ascending order of k;   dx = gather(dout, index).
 * The sort was done when the index was made: this is a segment sum, which reads x through `order` unless it is sorted.
 */
export const scatterAddOp = defineOp({
  name: 'scatterAdd',
  operands: { x: 'tensor', index: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, index }) => {
    expectDType('scatterAdd', 'x', x, 'float32');
    expectRankAtLeast('scatterAdd', 'x', x, 1);
    expectIdPerRow('scatterAdd', 'index', index, x);
    return { y: { dtype: x.dtype, shape: x.shape.with(0, index.rows) } };
  },
  reference: 'beside',
  saves: ['index'],
  backward: ({ index }, { dout }) => ({ x: () => gather(dout.y, index) }),
});

export const scatterAddReference: ReferenceOf<typeof scatterAddOp> = (
  { x, index: { rows, offsets, order } },
  { y },
) => {
  const row = sizeOf(x.shape.slice(1));
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < row; c++) {
      let total = 0;
      for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) total += x.data[order.data[k] * row + c];
      y.data[r * row + c] = total;
    }
  }
};

/** Rows with more entries are summed by many hands, and by themselves. */
const fewEntries = 64;

/** scatterAdd(x, index), put off until all that goes to the same rows can be added in one pass. */
export function scattered(x: Tensor, index: RowIndex): Tensor | ScatteredRows {
  if (isRecording() || index.longest > fewEntries) return scatterAdd(x, index);
  return scatteredRows(x, index);
}

/**
 * The rows of `x` that `index` names: [rows, …] → [index.length, …].
 *
 * @example
 * gather(tensor([[1, 2], [3, 4]]), rowIndex([1, 1, 0], 2)); // [[3, 4], [3, 4], [1, 2]]
 */
export function gather(x: Tensor, index: RowIndex): Tensor {
  return gatherOp.apply({ x, index }, {}).y;
}

/**
 * Adds row k of `x` to row ids[k] of the result: [index.length, …] → [index.rows, …].
 *
 * @example
 * scatterAdd(tensor([1, 2, 4]), rowIndex([1, 0, 1], 3)); // [2, 5, 0]
 */
export function scatterAdd(x: Tensor, index: RowIndex): Tensor {
  return scatterAddOp.apply({ x, index }, {}).y;
}
