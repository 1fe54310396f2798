import { concat, gruCell, isRecording, linear, rejectUnknownOptions, scope, split } from '@flowgrad/tensor';
import type { RandomKey, TableRows, Tensor } from '@flowgrad/tensor';
import { initialisers } from '../initialisers/initialisers.ts';
import { expectExtents, expectKey } from '../options.ts';
import { createLinear } from './linear.ts';

/** The sizes of a GRU cell, and the key its kernels start from. */
export interface GruCellOptions {
  /** The width of x. */
  readonly in: number;
  /** The width of the state h. */
  readonly d: number;
  readonly key: RandomKey;
}

/** The parameters of one product with bias. */
export interface GruKernel {
  readonly w: Tensor;
  readonly b: Tensor;
}

/** Parameters `gate.w` [in + d, 2d], `gate.b` [2d], `cand.w` [in + d, d] and `cand.b` [d]. */
export interface GruCell {
  /** On [x : h]: the first d outputs are the reset gate r, the last d the update gate z. */
  readonly gate: GruKernel;
  /** On [x : r ⊙ h]. */
  readonly cand: GruKernel;
  /**
   * x [n, in], or the parts it is made of, and the state h [n, d] → the new state [n, d]. A part may be rows of a table: where no
   * gradients are asked for, the table is multiplied, once for all who read it.
   */
  apply(this: void, x: Tensor | readonly (Tensor | TableRows)[], h: Tensor): Tensor;
}

/**
 * A gated recurrent unit, the reset applied before the product (which is not cuDNN's form):
 *
 *   r, z = σ([x : h]·W_g + b_g)      c = tanh([x : r ⊙ h]·W_c + b_c)      h' = z ⊙ h + (1 − z) ⊙ c
 *
 * b_g starts at 1, so that a new cell mostly keeps its state; b_c at 0, both kernels Glorot uniform.
 */
export function createGruCell(options: GruCellOptions): GruCell {
  const where = 'createGruCell';
  rejectUnknownOptions(where, options, ['in', 'd', 'key']);
  const { in: width, d, key } = options;
  expectExtents(where, { in: width, d });
  expectKey(where, key);
  const start = (name: string, out: number, bias: number): GruKernel => {
    const b = initialisers.constant(bias);
    const layer = createLinear({ in: width + d, out, key: key.child(name), b });
    return { w: layer.w, b: layer.b! };
  };
  return scope(() => {
    const gate = start('gate', 2 * d, 1);
    const cand = start('cand', d, 0);
    const weights = {
      gateWeight: gate.w,
      gateBias: gate.b,
      candidateWeight: cand.w,
      candidateBias: cand.b,
    };
    const apply: GruCell['apply'] = (x, h) => {
      const parts = 'shape' in x ? [x] : x;
      const given = parts.find((part) => 'table' in part);
      // With gradients, products of parts of the weights would be more ops than those they spare.
      if (!given?.rows || parts.length === 1 || isRecording()) return gruCell(parts.map(read), h, weights);
      const before = parts.slice(0, parts.indexOf(given)).reduce((total, part) => total + widthOf(part), 0);
      const made = given.once(gate, (table) => {
        const [ofGate, ofCandidate] = [gate, cand].map((kernel) => withGiven(kernel, table, before));
        return {
          gateWeight: ofGate.w,
          gateBias: ofGate.b,
          candidateWeight: ofCandidate.w,
          candidateBias: ofCandidate.b,
        };
      });
      const others = parts.filter((part) => part !== given).map(read);
      return gruCell(others, h, { ...made, biasRows: given.rows });
    };
    return { gate, cand, apply };
  }, where);
}

const read = (part: Tensor | TableRows): Tensor => ('table' in part ? part.read() : part);
const widthOf = (part: Tensor | TableRows): number => ('table' in part ? part.table : part).shape[1];

/** [x : u : h]·W + b = [x : h]·W′ + b′ with b′ = u·W_u + b, one for each row of u: x is so many columns wide. */
function withGiven({ w, b }: GruKernel, u: Tensor, before: number): GruKernel {
  const width = u.shape[1];
  const [ofX, ofU, ofH] = split(w, [before, width, w.shape[0] - before - width], 0);
  return { w: concat([ofX, ofH], 0), b: linear(u, ofU, b) };
}
