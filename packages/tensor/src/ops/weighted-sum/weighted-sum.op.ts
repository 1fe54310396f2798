/** weightedSum, gatherDot and gatherMul: products along edges, summed by node, by channel or not. They are each other's gradients. */
import type { TensorSpec } from '../../core/dtype.ts';
import { showShape, TensorError } from '../../core/errors.ts';
import { expectAsMany, expectDType, expectIndexInto, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { reshape } from '../shape/reshape.op.ts';

/** Which rows `weightedSum` reads and where it adds them. */
export interface WeightedSumOptions {
  /** Entry → row of x; absent where entry k reads row k. */
  readonly from?: RowIndex | undefined;
  readonly to: RowIndex;
}

/**
 * out[r] = Σ w[k]·x[from k] over the entries k with to k = r. A weight is a scalar, or one for each of the heads that a
 * row of x is cut into: w [entries, …heads], x [rows, heads · width].
 * dw[k] = ⟨dout[to k], x[from k]⟩, head by head;   dx[i] = Σ w[k]·dout[to k] over the k with from k = i
 */
export const weightedSumOp = defineOp({
  name: 'weightedSum',
  operands: { w: 'tensor', x: 'tensor', from: 'rows?', to: 'rows' },
  outputs: { out: 'tensor' },
  infer: ({ w, x, from, to }) => {
    expectDType('weightedSum', 'w', w, 'float32');
    expectDType('weightedSum', 'x', x, 'float32');
    if (from) expectIndexInto('weightedSum', 'from', from, x);
    const entries = from?.length ?? x.shape[0];
    if (entries !== to.length || w.shape[0] !== to.length) {
      throw new TensorError(
        'weightedSum',
        'shape',
        `expected a weight and a row of x for each of ${to.length} entries, got ${w.shape[0]} and ${entries}`,
      );
    }
    expectHeads('weightedSum', sizeOf(w.shape.slice(1)), x);
    return { out: { dtype: 'float32', shape: x.shape.with(0, to.rows) } };
  },
  reference: 'beside',
  backward: ({ w, x, from, to }, { dout: { out: g } }) => ({
    w: () => gatherDot(g, x, { xRows: to, yRows: from, heads: w.shape.slice(1) }),
    x: () => (from ? weightedSum(w, g, { from: to, to: from }) : scaled(gather(g, to), w)),
  }),
});

export const weightedSumReference: ReferenceOf<typeof weightedSumOp> = (
  { w, x, from, to: { rows, offsets, order } },
  { out },
) => {
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
};

/**
 * Σ w[k]·x[from k] by row of `to`: messages x[from k], each scaled by its weight, summed where they arrive.
 *
 * @example
 * const edges = { from: rowIndex([0, 1, 1], 2), to: rowIndex([0, 0, 1], 2) };
 * weightedSum(tensor([1, 2, 3]), tensor([[1, 0], [0, 1]]), edges); // [[1, 2], [0, 3]]
 */
export function weightedSum(w: Tensor, x: Tensor, { from, to }: WeightedSumOptions): Tensor {
  return weightedSumOp.apply({ w, x, from, to }, {}).out;
}

/** x[k]·w[k], head by head. */
function scaled(x: Tensor, w: Tensor): Tensor {
  if (w.rank === x.rank && w.rank === 1) return mul(x, w);
  const [rows, heads] = [x.shape[0], sizeOf(w.shape.slice(1))];
  const width = sizeOf(x.shape.slice(1)) / heads;
  return reshape(mul(reshape(x, [rows, heads, width]), reshape(w, [rows, heads, 1])), x.shape);
}

function expectHeads(op: string, heads: number, x: TensorSpec): void {
  if (sizeOf(x.shape.slice(1)) % heads === 0) return;
  throw new TensorError(
    op,
    'shape',
    `expected rows of x that ${heads} heads divide evenly, got ${showShape(x.shape)}`,
  );
}

/** Which rows `gatherDot` multiplies. */
export interface GatherDotOptions {
  /** Entry → row of x. */
  readonly xRows: RowIndex;
  /** Entry → row of y; absent where entry k reads row k. */
  readonly yRows?: RowIndex | undefined;
  /** [heads] for a product of each head of the rows; one product of whole rows, [], unless given. */
  readonly heads?: readonly number[] | undefined;
}

/**
 * out[k] = ⟨x[xRows k], y[yRows k]⟩, for each of the heads that rows are cut into, or for whole rows;
 * dx[i] = Σ dout[k]·y[yRows k] over the k with xRows k = i, and dy likewise
 */
export const gatherDotOp = defineOp({
  name: 'gatherDot',
  operands: { x: 'tensor', y: 'tensor', xRows: 'rows', yRows: 'rows?' },
  outputs: { out: 'tensor' },
  infer: ({ x, y, xRows, yRows }, { heads }: GatherDotAttrs) => {
    expectDType('gatherDot', 'x', x, 'float32');
    expectDType('gatherDot', 'y', y, 'float32');
    expectIndexInto('gatherDot', 'xRows', xRows, x);
    if (yRows) expectIndexInto('gatherDot', 'yRows', yRows, y);
    const entries = yRows?.length ?? y.shape[0];
    expectAsMany('gatherDot', 'a row of y for each of x', entries, xRows.length);
    expectShape('gatherDot', 'y', y, y.shape.slice(0, 1).concat(x.shape.slice(1)));
    expectHeads('gatherDot', sizeOf(heads), x);
    return { out: { dtype: 'float32', shape: [entries, ...heads] } };
  },
  reference: 'beside',
  backward: ({ x, y, xRows, yRows }, { dout: { out: g } }) => ({
    x: () => weightedSum(g, y, { from: yRows, to: xRows }),
    y: () => (yRows ? weightedSum(g, x, { from: xRows, to: yRows }) : scaled(gather(x, xRows), g)),
  }),
});

export const gatherDotReference: ReferenceOf<typeof gatherDotOp> = (
  { x, y, xRows, yRows },
  { out },
  { heads },
) => {
  const row = sizeOf(x.shape.slice(1));
  const width = row / sizeOf(heads);
  out.data.forEach((_, i) => {
    const k = Math.floor((i * width) / row);
    const first = (i * width) % row;
    const [atX, atY] = [xRows.ids.data[k] * row + first, (yRows ? yRows.ids.data[k] : k) * row + first];
    let total = 0;
    for (let c = 0; c < width; c++) total += x.data[atX + c] * y.data[atY + c];
    out.data[i] = total;
  });
};

export interface GatherDotAttrs {
  /** [] for whole rows. */
  readonly heads: readonly number[];
}

/**
 * Rows of x times rows of y, summed: how alike what an edge finds at both is.
 *
 * @example
 * const x = tensor([[1, 2], [3, 4]]);
 * gatherDot(x, x, { xRows: rowIndex([0, 0], 2), yRows: rowIndex([0, 1], 2) }); // [5, 11]
 */
export function gatherDot(x: Tensor, y: Tensor, { xRows, yRows, heads = [] }: GatherDotOptions): Tensor {
  return gatherDotOp.apply({ x, y, xRows, yRows }, { heads }).out;
}

/** Which rows `gatherMul` multiplies. */
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
    expectAsMany('gatherMul', 'a row of y for each of x', yRows.length, entries);
    expectShape('gatherMul', 'x', x, x.shape.slice(0, 1).concat(y.shape.slice(1)));
    return { out: { dtype: 'float32', shape: y.shape.with(0, entries) } };
  },
  reference: 'beside',
  saves: ['x', 'y', 'xRows', 'yRows'],
  backward: ({ x, y, xRows, yRows }, { dout: { out: g } }) => ({
    x: () => (xRows ? weightedSum(g, y, { from: yRows, to: xRows }) : gatherMul(g, y, { yRows })),
    y: () => weightedSum(g, x, { from: xRows, to: yRows }),
  }),
});

export const gatherMulReference: ReferenceOf<typeof gatherMulOp> = ({ x, y, xRows, yRows }, { out }) => {
  const row = sizeOf(y.shape.slice(1));
  out.data.forEach((_, i) => {
    const k = Math.floor(i / row);
    const [atX, atY] = [xRows ? xRows.ids.data[k] : k, yRows.ids.data[k]];
    out.data[i] = x.data[atX * row + (i % row)] * y.data[atY * row + (i % row)];
  });
};

/**
 * Rows of x times rows of y: the products of what an edge finds at both.
 *
 * @example
 * gatherMul(tensor([1, 2]), tensor([10, 20]), { yRows: rowIndex([1, 0], 2) }); // [20, 20]
 */
export function gatherMul(x: Tensor, y: Tensor, { xRows, yRows }: GatherMulOptions): Tensor {
  return gatherMulOp.apply({ x, y, xRows, yRows }, {}).out;
}
