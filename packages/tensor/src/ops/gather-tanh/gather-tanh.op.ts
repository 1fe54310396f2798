/** gatherTanh: what edges make of rows at several ends, without a tensor of what each of them reads. */
import { expectAsMany, expectDType, expectIndexInto, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tanhGrad } from '../elementwise/binary.op.ts';
import { scattered } from '../gather/gather.op.ts';

/** out[k] = tanh(Σ_i x_i[index_i k]), added in this order;   dx_i = scatterAdd(dout ⊙ (1 − out²), index_i) */
export const gatherTanhOp = defineOp({
  name: 'gatherTanh',
  operands: { xs: 'tensor[]', indices: 'rows[]' },
  outputs: { out: 'tensor' },
  infer: ({ xs, indices }) => {
    const row = xs[0].shape.slice(1);
    const { length } = indices[0];
    xs.forEach((x, i) => {
      const index = indices[i];
      expectDType('gatherTanh', `x ${i}`, x, 'float32');
      expectShape('gatherTanh', `x ${i}`, x, [-1, ...row]);
      expectIndexInto('gatherTanh', `index ${i}`, index, x);
      expectAsMany('gatherTanh', `a row of x ${i} for each of x 0`, index.length, length);
    });
    return { out: { dtype: 'float32', shape: [length, ...row] } };
  },
  reference: 'beside',
  saves: ['out', 'indices'],
  backward: ({ out, indices }, { dout }) => {
    const slopes = tanhGrad(dout.out, out);
    return { xs: indices.map((index) => () => scattered(slopes, index)) };
  },
});

export const gatherTanhReference: ReferenceOf<typeof gatherTanhOp> = ({ xs, indices }, { out }) => {
  const row = sizeOf(out.shape.slice(1));
  out.data.forEach((_, i) => {
    const [k, c] = [Math.floor(i / row), i % row];
    let total = 0;
    xs.forEach((x, term) => (total += x.data[indices[term].ids.data[k] * row + c]));
    out.data[i] = Math.tanh(total);
  });
};

/** Rows of `x`, one for each entry of `index`. */
export interface GatheredRows {
  readonly x: Tensor;
  readonly index: RowIndex;
}

/**
 * tanh of the sum of the rows that an entry names, one of each term: [rows, …] → [entries, …].
 *
 * @example
 * const [from, to] = [rowIndex([0, 1], 2), rowIndex([1, 1], 2)];
 * const x = tensor([[0], [1]]);
 * gatherTanh([{ x, index: from }, { x, index: to }]); // [[0.7616], [0.9640]]
 */
export function gatherTanh(terms: readonly [GatheredRows, ...GatheredRows[]]): Tensor {
  return gatherTanhOp.apply({ xs: terms.map(({ x }) => x), indices: terms.map(({ index }) => index) }, {})
    .out;
}
