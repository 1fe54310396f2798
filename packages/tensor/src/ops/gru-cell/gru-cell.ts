/** gruCell: two matrix products, each followed by one fused pass. */
import { rejectUnknownOptions } from '../../core/errors.ts';
import { expectShape } from '../../core/expect.ts';
import type { Tensor } from '../../core/tensor.ts';
import { matmul } from '../matmul/matmul.op.ts';
import { concat } from '../shape/concat.op.ts';
import { gruGatesOp } from './gru-gates.op.ts';
import { gruOutputOp } from './gru-output.op.ts';

export interface GruWeights {
  /** [in + d, 2d], acting on [x : h]; the first d outputs are the reset gate, the last d the update gate. */
  readonly gateWeight: Tensor;
  /** [2d] */
  readonly gateBias: Tensor;
  /** [in + d, d], acting on [x : r ⊙ h]. */
  readonly candidateWeight: Tensor;
  /** [d] */
  readonly candidateBias: Tensor;
}

/**
 * One step of a gated recurrent unit, x [n, in], h [n, d] → [n, d]:
 *
 *   r, z = σ([x : h]·W_g + b_g)      c = tanh([x : r ⊙ h]·W_c + b_c)      h' = z ⊙ h + (1 − z) ⊙ c
 *
 * The reset acts before the matrix product, as in the original GRU; cuDNN's form differs.
 */
export function gruCell(x: Tensor, h: Tensor, weights: GruWeights): Tensor {
  rejectUnknownOptions('gruCell', weights, ['gateWeight', 'gateBias', 'candidateWeight', 'candidateBias']);
  const { gateWeight, gateBias, candidateWeight, candidateBias } = weights;
  expectShape('gruCell', 'h', h, [-1, -1]);
  const [n, d] = h.shape;
  expectShape('gruCell', 'x', x, [n, -1]);
  const width = x.shape[1] + d;
  expectShape('gruCell', 'gateWeight', gateWeight, [width, 2 * d]);
  expectShape('gruCell', 'gateBias', gateBias, [2 * d]);
  expectShape('gruCell', 'candidateWeight', candidateWeight, [width, d]);
  expectShape('gruCell', 'candidateBias', candidateBias, [d]);

  const [gates, reset] = gruGatesOp.apply([matmul(concat([x, h], 1), gateWeight), gateBias, h], {});
  const product = matmul(concat([x, reset], 1), candidateWeight);
  return gruOutputOp.apply([product, candidateBias, gates, h], {})[0];
}
