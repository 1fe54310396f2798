/** The first half of a GRU cell after its matrix product, fused: gates and reset state in one pass. */
import { expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import { zerosLike } from '../fill/fill.op.ts';
import { sum } from '../reduce/sum.op.ts';

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * gates = [r : z] = σ(pre + bias),   reset = r ⊙ h.
 * Inputs: pre [n, 2d], bias [2d], h [n, d].  Outputs: gates [n, 2d], reset [n, d].
 */
export const gruGatesOp = defineOp({
  name: 'gruGates',
  infer: ([pre, bias, h]) => {
    const [n, d] = h.shape;
    expectShape('gruGates', 'pre', pre, [n, 2 * d]);
    expectShape('gruGates', 'bias', bias, [2 * d]);
    return [pre, h];
  },
  reference: ({ inputs: [pre, bias, h], outputs: [gates, reset] }) => {
    const [n, d] = h.shape;
    for (let row = 0; row < n; row++) {
      for (let c = 0; c < 2 * d; c++) {
        gates.data[row * 2 * d + c] = logistic(pre.data[row * 2 * d + c] + bias.data[c]);
      }
      for (let c = 0; c < d; c++) reset.data[row * d + c] = gates.data[row * 2 * d + c] * h.data[row * d + c];
    }
  },
  saves: { inputs: [2], outputs: [0] },
  backward: ({ douts: [dgates, dreset], inputs: [, , h], outputs: [gates] }) => {
    const [dpre, dh] = gruGatesGradOp.apply([orZeros(dgates, gates), orZeros(dreset, h), gates, h], {});
    return [dpre, () => sum(dpre, 0), dh];
  },
});

/**
 * dpre = [(dgates_r + dreset ⊙ h) ⊙ r(1 − r) : dgates_z ⊙ z(1 − z)],   dh = dreset ⊙ r.
 * Inputs: dgates [n, 2d], dreset [n, d], gates [n, 2d], h [n, d].  Outputs: dpre [n, 2d], dh [n, d].
 */
export const gruGatesGradOp = defineOp({
  name: 'gruGatesGrad',
  infer: ([dgates, dreset]) => [dgates, dreset],
  reference: ({ inputs: [dgates, dreset, gates, h], outputs: [dpre, dh] }) => {
    const [n, d] = h.shape;
    for (let row = 0; row < n; row++) {
      for (let c = 0; c < d; c++) {
        const state = row * d + c;
        const [atR, atZ] = [row * 2 * d + c, row * 2 * d + d + c];
        const [r, z] = [gates.data[atR], gates.data[atZ]];
        dpre.data[atR] = (dgates.data[atR] + dreset.data[state] * h.data[state]) * r * (1 - r);
        dpre.data[atZ] = dgates.data[atZ] * z * (1 - z);
        dh.data[state] = dreset.data[state] * r;
      }
    }
  },
});

function orZeros(gradient: Tensor | null, like: Tensor): Tensor {
  return gradient ?? zerosLike(like);
}
