/** The second half of a GRU cell after its matrix product, fused: candidate and new state in one pass. */
import { expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import { sum } from '../reduce/sum.op.ts';

/**
 * c = tanh(pre + bias),   h' = z ⊙ h + (1 − z) ⊙ c, with gates = [r : z].
 * Inputs: pre [n, d], bias [d], gates [n, 2d], h [n, d].  Outputs: h' [n, d], c [n, d], kept for backward.
 */
export const gruOutputOp = defineOp({
  name: 'gruOutput',
  infer: ([pre, bias, gates, h]) => {
    const [n, d] = h.shape;
    expectShape('gruOutput', 'pre', pre, [n, d]);
    expectShape('gruOutput', 'bias', bias, [d]);
    expectShape('gruOutput', 'gates', gates, [n, 2 * d]);
    return [h, h];
  },
  reference: ({ inputs: [pre, bias, gates, h], outputs: [next, candidate] }) => {
    const [n, d] = h.shape;
    for (let row = 0; row < n; row++) {
      for (let c = 0; c < d; c++) {
        const at = row * d + c;
        const z = gates.data[row * 2 * d + d + c];
        candidate.data[at] = Math.tanh(pre.data[at] + bias.data[c]);
        next.data[at] = z * h.data[at] + (1 - z) * candidate.data[at];
      }
    }
  },
  saves: { inputs: [2, 3], outputs: [1] },
  // Only h' is passed on by gruCell, so nothing else brings a gradient.
  backward: ({ dout, inputs: [, , gates, h], outputs: [, candidate] }) => {
    const [dpre, dgates, dh] = gruOutputGradOp.apply([dout, gates, h, candidate], {});
    return [dpre, () => sum(dpre, 0), dgates, dh];
  },
});

/**
 * dpre = dh' ⊙ (1 − z) ⊙ (1 − c²),   dgates = [0 : dh' ⊙ (h − c)],   dh = dh' ⊙ z.
 * Inputs: dh' [n, d], gates [n, 2d], h [n, d], c [n, d].  Outputs: dpre [n, d], dgates [n, 2d], dh [n, d].
 */
export const gruOutputGradOp = defineOp({
  name: 'gruOutputGrad',
  infer: ([dnext, gates]) => [dnext, gates, dnext],
  reference: ({ inputs: [dnext, gates, h, candidate], outputs: [dpre, dgates, dh] }) => {
    const [n, d] = h.shape;
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < d; column++) {
        const at = row * d + column;
        const atZ = row * 2 * d + d + column;
        const [z, c, gradient] = [gates.data[atZ], candidate.data[at], dnext.data[at]];
        dpre.data[at] = gradient * (1 - z) * (1 - c * c);
        dgates.data[atZ - d] = 0;
        dgates.data[atZ] = gradient * (h.data[at] - c);
        dh.data[at] = gradient * z;
      }
    }
  },
});
