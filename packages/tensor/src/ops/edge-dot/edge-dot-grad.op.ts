/** The gradients of edgeDot: sums over a node's edges and over a type's edges, one owner per output row. */
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import type { EdgeIndices } from './edge-dot.op.ts';

export interface EdgeDotRowsGradAttrs {
  /** Whose gradient: 'senders' is dx, 'receivers' dy. */
  readonly side: 'senders' | 'receivers';
}

/**
 * out[i] = Σ_e g_e (w^side_t + w³_t ⊙ other[far end of e]) over the edges e of node i on that side, its near end.
 * g is [edges], other [m, d], weight [types, 3d].
 */
export const edgeDotRowsGradOp = defineOp({
  name: 'edgeDotRowsGrad',
  operands: { g: 'tensor', other: 'tensor', weight: 'tensor', near: 'rows', far: 'rows', types: 'rows' },
  outputs: { out: 'tensor' },
  infer: ({ other, near }, _attrs: EdgeDotRowsGradAttrs) => ({
    out: { dtype: 'float32', shape: [near.rows, other.shape[1]] },
  }),
  reference: 'beside',
});

export const edgeDotRowsGradReference: ReferenceOf<typeof edgeDotRowsGradOp> = (
  { g, other, weight, near, far, types },
  { out },
  { side },
) => {
  const [rows, d] = out.shape;
  const { offsets, order } = near;
  const part = side === 'senders' ? 0 : d;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < d; c++) {
      let total = 0;
      for (let k = offsets.data[i]; k < offsets.data[i + 1]; k++) {
        const e = order.data[k];
        const atW = types.ids.data[e] * 3 * d + c;
        const factor =
          weight.data[atW + part] + weight.data[atW + 2 * d] * other.data[far.ids.data[e] * d + c];
        total += g.data[e] * factor;
      }
      out.data[i * d + c] = total;
    }
  }
};

/**
 * out[t] = Σ_e g_e [x_i : y_j : x_i ⊙ y_j] over the edges e = (i, j) of type t.
 * g is [edges], x [n, d], y [m, d].
 */
export const edgeDotWeightGradOp = defineOp({
  name: 'edgeDotWeightGrad',
  operands: { g: 'tensor', x: 'tensor', y: 'tensor', senders: 'rows', receivers: 'rows', types: 'rows' },
  outputs: { out: 'tensor' },
  infer: ({ x, types }) => ({ out: { dtype: 'float32', shape: [types.rows, 3 * x.shape[1]] } }),
  reference: 'beside',
});

export const edgeDotWeightGradReference: ReferenceOf<typeof edgeDotWeightGradOp> = (
  { g, x, y, senders, receivers, types: { offsets, order } },
  { out },
) => {
  const d = x.shape[1];
  for (let t = 0; t < out.shape[0]; t++) {
    for (let c = 0; c < d; c++) {
      const totals = [0, 0, 0];
      for (let k = offsets.data[t]; k < offsets.data[t + 1]; k++) {
        const e = order.data[k];
        const [a, b] = [x.data[senders.ids.data[e] * d + c], y.data[receivers.ids.data[e] * d + c]];
        totals[0] += g.data[e] * a;
        totals[1] += g.data[e] * b;
        totals[2] += g.data[e] * a * b;
      }
      totals.forEach((total, part) => (out.data[(t * 3 + part) * d + c] = total));
    }
  }
};

export function edgeDotRowsGrad(
  g: Tensor,
  other: Tensor,
  weight: Tensor,
  { senders, receivers, types, side }: EdgeIndices & EdgeDotRowsGradAttrs,
): Tensor {
  const [near, far] = side === 'senders' ? [senders, receivers] : [receivers, senders];
  return edgeDotRowsGradOp.apply({ g, other, weight, near, far, types }, { side }).out;
}

export function edgeDotWeightGrad(
  g: Tensor,
  x: Tensor,
  y: Tensor,
  { senders, receivers, types }: EdgeIndices,
): Tensor {
  return edgeDotWeightGradOp.apply({ g, x, y, senders, receivers, types }, {}).out;
}
