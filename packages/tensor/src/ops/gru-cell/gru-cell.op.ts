/** gruCell: two matrix products, each followed by one pass, of inputs that are never joined. */
import { rejectUnknownOptions } from '../../core/errors.ts';
import { expectAsMany, expectShape, expectSome } from '../../core/expect.ts';
import { scatteredRows } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { linearWeightGrad } from '../linear/linear.op.ts';
import { concat } from '../shape/concat.op.ts';
import { gruCellGradLoops, gruCellLoops } from './gru-cell.reference.ts';

/** The kernels of a GRU cell: gates and candidate, each acting on the input beside the state. */
export interface GruWeights {
  /** [in + d, 2d], acting on [x : h]; the first d outputs are the reset gate, the last d the update gate. */
  readonly gateWeight: Tensor;
  /** [2d], or [biases, 2d] with biasRows. */
  readonly gateBias: Tensor;
  /** [in + d, d], acting on [x : r ⊙ h]. */
  readonly candidateWeight: Tensor;
  /** [d], or [biases, d] with biasRows. */
  readonly candidateBias: Tensor;
  /** Which of the biases each row has; all have the same unless given. */
  readonly biasRows?: RowIndex | undefined;
}

/**
 *   gates = [r : z] = σ([x : h]·W_g + b_g)     reset = r ⊙ h     c = tanh([x : reset]·W_c + b_c)
 *   h' = z ⊙ h + (1 − z) ⊙ c
 *
 * W_g is [in + d, 2d], b_g [2d], W_c [in + d, d], b_c [d], h [n, d], and x is given in one or two parts [n, inᵢ]. Where rows
 * differ in their biases, b_g is [k, 2d] and b_c [k, d], and row i has those at biasRows[i].
 * What comes out is h' [n, d], and for backward gates [n, 2d], reset [n, d] and c [n, d].
 */
export const gruCellOp = defineOp({
  name: 'gruCell',
  operands: {
    gateWeight: 'tensor',
    gateBias: 'tensor',
    candidateWeight: 'tensor',
    candidateBias: 'tensor',
    biasRows: 'rows?',
    h: 'tensor',
    xs: 'tensor[]',
  },
  outputs: { next: 'tensor', gates: 'tensor', reset: 'tensor', candidate: 'tensor' },
  infer: ({ h }) => {
    const gates = { dtype: h.dtype, shape: [h.shape[0], 2 * h.shape[1]] };
    return { next: h, gates, reset: h, candidate: h };
  },
  reference: 'beside',
  saves: ['gateWeight', 'candidateWeight', 'biasRows', 'h', 'xs', 'gates', 'reset', 'candidate'],
  backward: ({ gateWeight, candidateWeight, biasRows, h, xs, gates, reset, candidate }, { dout, needs }) => {
    // Only h' is handed out by gruCell, so nothing else brings a gradient.
    const dnext = dout.next!;
    const { ofGates, ofCandidate, dh, dxs } = gruCellGradOp.apply(
      { gateWeight, candidateWeight, dnext, gates, candidate, h },
      { widths: xs.map(({ shape }) => shape[1]) },
    );
    const ofGate = needs.gateWeight || needs.gateBias ? linearWeightGrad([...xs, h], ofGates) : null;
    const ofCandidateWeight =
      needs.candidateWeight || needs.candidateBias ? linearWeightGrad([...xs, reset], ofCandidate) : null;
    return {
      gateWeight: ofGate?.dweight ?? null,
      gateBias: biasRows ? scatteredRows(ofGates, biasRows) : (ofGate?.dbias ?? null),
      candidateWeight: ofCandidateWeight?.dweight ?? null,
      candidateBias: biasRows ? scatteredRows(ofCandidate, biasRows) : (ofCandidateWeight?.dbias ?? null),
      h: dh,
      xs: dxs,
    };
  },
});

export const gruCellReference: ReferenceOf<typeof gruCellOp> = gruCellLoops;

export interface GruCellGradAttrs {
  /** Of the parts of x. */
  readonly widths: readonly number[];
}

/**
 *   da_c = dh' ⊙ (1 − z) ⊙ (1 − c²)                            [dx : dreset] = da_c·W_cᵀ
 *   da_g = [dreset ⊙ h ⊙ r(1 − r) : dh' ⊙ (h − c) ⊙ z(1 − z)]     [dx : dh] += da_g·W_gᵀ
 *   dh += dh' ⊙ z + dreset ⊙ r
 *
 * with a_g and a_c what σ and tanh are taken of.
 * da_g is [n, 2d], da_c [n, d], dh [n, d], and dx comes in its parts.
 */
export const gruCellGradOp = defineOp({
  name: 'gruCellGrad',
  operands: {
    gateWeight: 'tensor',
    candidateWeight: 'tensor',
    dnext: 'tensor',
    gates: 'tensor',
    candidate: 'tensor',
    h: 'tensor',
  },
  outputs: { ofGates: 'tensor', ofCandidate: 'tensor', dh: 'tensor', dxs: 'tensor[]' },
  infer: ({ dnext, gates }, { widths }: GruCellGradAttrs) => ({
    ofGates: gates,
    ofCandidate: dnext,
    dh: dnext,
    dxs: widths.map((width) => ({ dtype: dnext.dtype, shape: [dnext.shape[0], width] })),
  }),
  reference: 'beside',
});

export const gruCellGradReference: ReferenceOf<typeof gruCellGradOp> = gruCellGradLoops;

/**
 * One step of a gated recurrent unit, x [n, in], h [n, d] → [n, d]:
 *
 *   r, z = σ([x : h]·W_g + b_g)      c = tanh([x : r ⊙ h]·W_c + b_c)      h' = z ⊙ h + (1 − z) ⊙ c
 *
 * The reset acts before the matrix product, as in the original GRU; cuDNN's form differs. Where x is several
 * tensors
 * side by side, they may be given as they are. What several rows share, or one has at several steps, can be multiplied once
 * and given as their bias, of which `biasRows` names one for each row.
 *
 * @example
 * const weights = {
 *   gateWeight: zeros([3, 4]),
 *   gateBias: zeros([4]),
 *   candidateWeight: zeros([3, 2]),
 *   candidateBias: zeros([2]),
 * };
 * gruCell(ones([1, 1]), ones([1, 2]), weights); // [[0.5, 0.5]]
 */
export function gruCell(x: Tensor | readonly Tensor[], h: Tensor, weights: GruWeights): Tensor {
  const known = ['gateWeight', 'gateBias', 'candidateWeight', 'candidateBias', 'biasRows'];
  rejectUnknownOptions('gruCell', weights, known);
  const { gateWeight, gateBias, candidateWeight, candidateBias, biasRows } = weights;
  expectShape('gruCell', 'h', h, [-1, -1]);
  const [n, d] = h.shape;
  const parts = 'shape' in x ? [x] : x;
  expectSome('gruCell', 'x', parts);
  for (const part of parts) expectShape('gruCell', 'x', part, [n, -1]);
  const width = parts.reduce((total, { shape }) => total + shape[1], d);
  expectShape('gruCell', 'gateWeight', gateWeight, [width, 2 * d]);
  const biases = biasRows ? [biasRows.rows] : [];
  expectShape('gruCell', 'gateBias', gateBias, [...biases, 2 * d]);
  expectShape('gruCell', 'candidateWeight', candidateWeight, [width, d]);
  expectShape('gruCell', 'candidateBias', candidateBias, [...biases, d]);
  if (biasRows) expectAsMany('gruCell', 'one of biasRows for each row', biasRows.length, n);
  // Kernels take two parts and h.
  const xs = parts.length > 2 ? [concat(parts, 1)] : parts;
  return gruCellOp.apply({ gateWeight, gateBias, candidateWeight, candidateBias, biasRows, h, xs }, {}).next;
}
