/** The gradients of edgeDot: sums over a node's edges and over a type's edges, one owner per output row. */
import { defineOp } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import type { EdgeAttrs } from './edge-dot.op.ts';

export interface EdgeDotRowsGradAttrs extends EdgeAttrs {
  /** Whose gradient: 'senders' is dx, 'receivers' dy. */
  readonly side: 'senders' | 'receivers';
}

/**
 * out[i] = Σ_e g_e (w^side_t + w³_t ⊙ other[far end of e]) over the edges e of node i on that side.
 * Inputs: g [edges], other [m, d], weight [types, 3d], ids of the far side and of types, offsets and order of the side.
 */
export const edgeDotRowsGradOp = defineOp<'edgeDotRowsGrad', EdgeDotRowsGradAttrs>({
  name: 'edgeDotRowsGrad',
  infer: ([, other], attrs) => [{ dtype: 'float32', shape: [attrs[attrs.side].rows, other.shape[1]] }],
  reference: ({
    inputs: [g, other, weight, far, types, offsets, order],
    outputs: [out],
    attrs: { side },
  }) => {
    const [rows, d] = out.shape;
    const part = side === 'senders' ? 0 : d;
    for (let i = 0; i < rows; i++) {
      for (let c = 0; c < d; c++) {
        let total = 0;
        for (let k = offsets.data[i]; k < offsets.data[i + 1]; k++) {
          const e = order.data[k];
          const atW = types.data[e] * 3 * d + c;
          const factor = weight.data[atW + part] + weight.data[atW + 2 * d] * other.data[far.data[e] * d + c];
          total += g.data[e] * factor;
        }
        out.data[i * d + c] = total;
      }
    }
  },
});

/**
 * out[t] = Σ_e g_e [x_i : y_j : x_i ⊙ y_j] over the edges e = (i, j) of type t.
 * Inputs: g [edges], x [n, d], y [m, d], ids of senders and receivers, offsets and order of types.
 */
export const edgeDotWeightGradOp = defineOp<'edgeDotWeightGrad', EdgeAttrs>({
  name: 'edgeDotWeightGrad',
  infer: ([, x], { types }) => [{ dtype: 'float32', shape: [types.rows, 3 * x.shape[1]] }],
  reference: ({ inputs: [g, x, y, senders, receivers, offsets, order], outputs: [out] }) => {
    const d = x.shape[1];
    for (let t = 0; t < out.shape[0]; t++) {
      for (let c = 0; c < d; c++) {
        const totals = [0, 0, 0];
        for (let k = offsets.data[t]; k < offsets.data[t + 1]; k++) {
          const e = order.data[k];
          const [a, b] = [x.data[senders.data[e] * d + c], y.data[receivers.data[e] * d + c]];
          totals[0] += g.data[e] * a;
          totals[1] += g.data[e] * b;
          totals[2] += g.data[e] * a * b;
        }
        totals.forEach((total, part) => (out.data[(t * 3 + part) * d + c] = total));
      }
    }
  },
});

export function edgeDotRowsGrad(
  g: Tensor,
  other: Tensor,
  weight: Tensor,
  attrs: EdgeDotRowsGradAttrs,
): Tensor {
  const { side, types } = attrs;
  const near = attrs[side];
  const far = side === 'senders' ? attrs.receivers : attrs.senders;
  return edgeDotRowsGradOp.apply([g, other, weight, far.ids, types.ids, near.offsets, near.order], attrs)[0];
}

export function edgeDotWeightGrad(g: Tensor, x: Tensor, y: Tensor, attrs: EdgeAttrs): Tensor {
  const { senders, receivers, types } = attrs;
  return edgeDotWeightGradOp.apply(
    [g, x, y, senders.ids, receivers.ids, types.offsets, types.order],
    attrs,
  )[0];
}
