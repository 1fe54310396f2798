/** weightedSum and gatherMul: products along edges, summed by node or not. Each is the other's gradient. */
import { TensorError } from '../../core/errors.ts';
import { expectDType, expectIndexInto, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

export interface WeightedSumAttrs {
  /** Entry → row of x; absent where entry k reads row k. */
  readonly from?: RowIndex;
  readonly to: RowIndex;
}

/**
 * out[r] = Σ w[k]·x[from k] over the entries k with to k = r. A weight is a scalar, or one for each of the heads that a
 * row of x is cut into. Inputs: w [entries, …heads], x [rows, heads · width], offsets and order of `to`, ids of `from`.
 */
export const weightedSumOp = defineOp<'weightedSum', WeightedSumAttrs>({
  name: 'weightedSum',
  infer: ([, x], { to }) => [{ dtype: 'float32', shape: x.shape.with(0, to.rows) }],
  reference: ({ inputs: [w, x, offsets, order, from], outputs: [out], attrs: { to, from: through } }) => {
    const row = sizeOf(x.shape.slice(1));
    const heads = sizeOf(w.shape.slice(1));
    for (let r = 0; r < to.rows; r++) {
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) {
          const e = order.data[k];
          const source = through ? from.data[e] : e;
          total += w.data[e * heads + Math.floor((c * heads) / row)] * x.data[source * row + c];
        }
        out.data[r * row + c] = total;
      }
    }
  },
});

export function weightedSum(w: Tensor, x: Tensor, { from, to }: WeightedSumAttrs): Tensor {
  const inputs = [w, x, to.offsets, to.order, ...(from ? [from.ids] : [])];
  return weightedSumOp.apply(inputs, from ? { from, to } : { to })[0];
}

export interface GatherMulAttrs {
  /** Entry → row of x; absent where entry k reads row k. */
  readonly xRows?: RowIndex;
  /** Entry → row of y. */
  readonly yRows: RowIndex;
}

/**
 * out[k] = x[xRows k]·y[yRows k], that is mul(gather(x, xRows), gather(y, yRows));
 * dx[i] = Σ dout[k]·y[yRows k] over the k with xRows k = i, and dy likewise.  Inputs: x, y, ids of yRows, ids of xRows.
 */
export const gatherMulOp = defineOp<'gatherMul', GatherMulAttrs>({
  name: 'gatherMul',
  infer: ([x, y], { xRows, yRows }) => {
    expectDType('gatherMul', 'x', x, 'float32');
    expectDType('gatherMul', 'y', y, 'float32');
    expectIndexInto('gatherMul', 'yRows', yRows, y);
    if (xRows) expectIndexInto('gatherMul', 'xRows', xRows, x);
    const entries = xRows?.length ?? x.shape[0];
    if (entries !== yRows.length) {
      throw new TensorError(
        'gatherMul',
        'shape',
        `expected a row of y for each of x, got ${yRows.length} for ${entries}`,
      );
    }
    expectShape('gatherMul', 'x', x, x.shape.slice(0, 1).concat(y.shape.slice(1)));
    return [{ dtype: 'float32', shape: y.shape.with(0, entries) }];
  },
  reference: ({ inputs: [x, y, ofY, ofX], outputs: [out], attrs: { xRows } }) => {
    const row = sizeOf(y.shape.slice(1));
    out.data.forEach((_, i) => {
      const k = Math.floor(i / row);
      const [atX, atY] = [xRows ? ofX.data[k] : k, ofY.data[k]];
      out.data[i] = x.data[atX * row + (i % row)] * y.data[atY * row + (i % row)];
    });
  },
  saves: { inputs: [0, 1], outputs: [] },
  backward: ({ dout, inputs: [x, y], attrs: { xRows, yRows } }) => [
    () => (xRows ? weightedSum(dout, y, { from: yRows, to: xRows }) : gatherMul(dout, y, { yRows })),
    () => weightedSum(dout, x, xRows ? { from: xRows, to: yRows } : { to: yRows }),
    null,
    null,
  ],
});

/** Rows of x times rows of y: the products of what an edge finds at both. */
export function gatherMul(x: Tensor, y: Tensor, attrs: GatherMulAttrs): Tensor {
  const { xRows, yRows } = attrs;
  return gatherMulOp.apply([x, y, yRows.ids, ...(xRows ? [xRows.ids] : [])], attrs)[0];
}
