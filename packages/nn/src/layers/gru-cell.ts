import { gruCell, linear, rejectUnknownOptions, scope } from '@flowgrad/tensor';
import type { RandomKey, TableRows, Tensor } from '@flowgrad/tensor';
import { initialisers } from '../initialisers/initialisers.ts';
import { expectExtents, expectKey } from '../options.ts';
import { createLinear } from './linear.ts';
import { read, tablesIn, weightsAround } from './table-parts.ts';

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
   * x [n, in], or the parts it is made of, and the state h [n, d] → the new state [n, d]. A part may be rows of a table, which is
   * then multiplied, once for all who read it; with gradients where it has far fewer rows.
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
      const [given] = tablesIn(parts, gate);
      if (!given || parts.length === 1) return gruCell(parts.map(read), h, weights);
      const made = given.once(gate, (table) => {
        const [ofGate, ofCandidate] = [gate, cand].map(({ w, b }) => {
          const [others, ofTable] = weightsAround([given], parts, w);
          return { w: others, b: linear(table, ofTable, b) };
        });
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
