/** weightedSum and gatherMul: products along edges, summed by node or not. Each is the other's gradient. */
import { TensorError } from '../../core/errors.ts';
import { expectDType, expectIndexInto, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

export interface WeightedSumOptions {
  /** Entry → row of x; absent where entry k reads row k. */
  readonly from?: RowIndex | undefined;
  readonly to: RowIndex;
}

/**
 * out[r] = Σ w[k]·x[from k] over the entries k with to k = r. A weight is a scalar, or one for each of the heads that a
 * row of x is cut into: w [entries, …heads], x [rows, heads · width].
 */
export const weightedSumOp = defineOp({
  name: 'weightedSum',
  operands: { w: 'tensor', x: 'tensor', from: 'rows?', to: 'rows' },
  outputs: { out: 'tensor' },
  infer: ({ x, to }) => ({ out: { dtype: 'float32', shape: x.shape.with(0, to.rows) } }),
  reference: ({ w, x, from, to: { rows, offsets, order } }, { out }) => {
    const row = sizeOf(x.shape.slice(1));
    const heads = sizeOf(w.shape.slice(1));
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < row; c++) {
        let total = 0;
        for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) {
          const e = order.data[k];
          const source = from ? from.ids.data[e] : e;
          total += w.data[e * heads + Math.floor((c * heads) / row)] * x.data[source * row + c];
        }
        out.data[r * row + c] = total;
      }
    }
  },
});

export function weightedSum(w: Tensor, x: Tensor, { from, to }: WeightedSumOptions): Tensor {
  return weightedSumOp.apply({ w, x, from, to }, {}).out;
}

export interface GatherMulOptions {
  /** Entry → row of x; absent where entry k reads row k. */
  readonly xRows?: RowIndex;
  /** Entry → row of y. */
  readonly yRows: RowIndex;
}

/**
 * out[k] = x[xRows k]·y[yRows k], that is mul(gather(x, xRows), gather(y, yRows));
 * dx[i] = Σ dout[k]·y[yRows k] over the k with xRows k = i, and dy likewise
 */
export const gatherMulOp = defineOp({
  name: 'gatherMul',
  operands: { x: 'tensor', y: 'tensor', xRows: 'rows?', yRows: 'rows' },
  outputs: { out: 'tensor' },
  infer: ({ x, y, xRows, yRows }) => {
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
    return { out: { dtype: 'float32', shape: y.shape.with(0, entries) } };
  },
  reference: ({ x, y, xRows, yRows }, { out }) => {
    const row = sizeOf(y.shape.slice(1));
    out.data.forEach((_, i) => {
      const k = Math.floor(i / row);
      const [atX, atY] = [xRows ? xRows.ids.data[k] : k, yRows.ids.data[k]];
      out.data[i] = x.data[atX * row + (i % row)] * y.data[atY * row + (i % row)];
    });
  },
  saves: ['x', 'y', 'xRows', 'yRows'],
  backward: ({ x, y, xRows, yRows }, { dout: { out: g } }) => ({
    x: () => (xRows ? weightedSum(g, y, { from: yRows, to: xRows }) : gatherMul(g, y, { yRows })),
    y: () => weightedSum(g, x, { from: xRows, to: yRows }),
  }),
});

/** Rows of x times rows of y: the products of what an edge finds at both. */
export function gatherMul(x: Tensor, y: Tensor, { xRows, yRows }: GatherMulOptions): Tensor {
  return gatherMulOp.apply({ x, y, xRows, yRows }, {}).out;
}
