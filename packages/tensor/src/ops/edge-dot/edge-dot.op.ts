/** edgeDot: the paper's transition logits, fused so that no [edges, 3d] tensor exists. */
import { rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import { expectDType, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { scatterAdd } from '../gather/gather.op.ts';
import { edgeDotRowsGrad, edgeDotWeightGrad } from './edge-dot-grad.op.ts';

export interface EdgeIndices {
  /** Edge e reads x at its sender and y at its receiver. */
  readonly senders: RowIndex;
  readonly receivers: RowIndex;
  readonly types: RowIndex;
}

/** Which edges there are, and the weights of each type of edge. */
export interface EdgeDotOptions extends EdgeIndices {
  /** [types, 3d] */
  readonly weight: Tensor;
  /** [types] */
  readonly bias: Tensor;
}

/**
 * out[e] = w_t · [x_i : y_j : x_i ⊙ y_j] + b_t, for the edge e = (i, j) of type t.
 * dx_i = Σ_e dout_e (w¹_t + w³_t ⊙ y_j),  dy_j = Σ_e dout_e (w²_t + w³_t ⊙ x_i),
 * dw_t = Σ_e dout_e [x_i : y_j : x_i ⊙ y_j],  db_t = Σ_e dout_e.
 * x is [n, d], y [m, d], weight [types, 3d], bias [types].
 */
export const edgeDotOp = defineOp({
  name: 'edgeDot',
  operands: {
    x: 'tensor',
    y: 'tensor',
    weight: 'tensor',
    bias: 'tensor',
    senders: 'rows',
    receivers: 'rows',
    types: 'rows',
  },
  outputs: { out: 'tensor' },
  infer: ({ x, y, weight, bias, senders, receivers, types }) => {
    const named = { x, y, weight, bias };
    for (const [name, tensor] of Object.entries(named)) expectDType('edgeDot', name, tensor, 'float32');
    expectShape('edgeDot', 'x', x, [senders.rows, -1]);
    expectShape('edgeDot', 'y', y, [receivers.rows, x.shape[1]]);
    expectShape('edgeDot', 'weight', weight, [types.rows, 3 * x.shape[1]]);
    expectShape('edgeDot', 'bias', bias, [types.rows]);
    if (senders.length !== receivers.length || senders.length !== types.length) {
      const lengths = `${senders.length}, ${receivers.length} and ${types.length}`;
      throw new TensorError(
        'edgeDot',
        'shape',
        `expected as many senders as receivers and types, got ${lengths}`,
      );
    }
    return { out: { dtype: 'float32', shape: [senders.length] } };
  },
  reference: 'beside',
  saves: ['x', 'y', 'weight', 'senders', 'receivers', 'types'],
  backward: ({ x, y, weight, senders, receivers, types }, { dout: { out: g } }) => {
    const indices = { senders, receivers, types };
    return {
      x: () => edgeDotRowsGrad(g, y, weight, { ...indices, side: 'senders' }),
      y: () => edgeDotRowsGrad(g, x, weight, { ...indices, side: 'receivers' }),
      weight: () => edgeDotWeightGrad(g, x, y, indices),
      bias: () => scatterAdd(g, types),
    };
  },
});

export const edgeDotReference: ReferenceOf<typeof edgeDotOp> = (
  { x, y, weight, bias, ...indices },
  { out },
) => {
  const d = x.shape[1];
  const [senders, receivers, types] = [indices.senders.ids, indices.receivers.ids, indices.types.ids];
  for (let e = 0; e < out.data.length; e++) {
    const [atX, atY, atW] = [senders.data[e] * d, receivers.data[e] * d, types.data[e] * 3 * d];
    let total = bias.data[types.data[e]];
    for (let c = 0; c < d; c++) {
      const [a, b] = [x.data[atX + c], y.data[atY + c]];
      const [w1, w2, w3] = [0, d, 2 * d].map((part) => weight.data[atW + part + c]);
      total += w1 * a + w2 * b + w3 * a * b;
    }
    out.data[e] = total;
  }
};

/**
 * w_type · [x_i : y_j : x_i ⊙ y_j] + b_type for every edge (i, j): x [n, d], y [m, d] → [edges].
 *
 * @example
 * const x = ones([2, 2]);
 * const [senders, receivers, types] = [rowIndex([0, 1], 2), rowIndex([1, 0], 2), rowIndex([0, 0], 1)];
 * edgeDot(x, x, { senders, receivers, types, weight: zeros([1, 6]), bias: ones([1]) }); // [1, 1]
 */
export function edgeDot(x: Tensor, y: Tensor, options: EdgeDotOptions): Tensor {
  rejectUnknownOptions('edgeDot', options, ['senders', 'receivers', 'types', 'weight', 'bias']);
  const { senders, receivers, types, weight, bias } = options;
  return edgeDotOp.apply({ x, y, weight, bias, senders, receivers, types }, {}).out;
}
