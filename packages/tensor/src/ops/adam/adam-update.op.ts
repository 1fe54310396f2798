/** adamUpdate: one step of Adam, in place. */
import { rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import { expectDType, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import { expectParameters } from './expect-parameters.ts';

/** The numbers of one update of Adam, with the names of Kingma and Ba's paper. */
export interface AdamAttrs {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** 1 for the first update: corrects the moments' bias towards 0. */
  readonly step: number;
}

/**
 * m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²,   p ← p − η·(m / (1−β₁ᵗ)) / (√(v / (1−β₂ᵗ)) + ε)
 * All but g are overwritten.
 */
export const adamUpdateOp = defineOp({
  name: 'adamUpdate',
  operands: { p: 'tensor', g: 'tensor', m: 'tensor', v: 'tensor' },
  outputs: {},
  infer: ({ p, g, m, v }, _attrs: AdamAttrs) => {
    const named = { parameter: p, gradient: g, firstMoment: m, secondMoment: v };
    for (const [name, tensor] of Object.entries(named)) {
      expectDType('adamUpdate', name, tensor, 'float32');
      expectShape('adamUpdate', name, tensor, p.shape);
    }
    return {};
  },
  mutates: ['p', 'm', 'v'],
  reference: 'beside',
});

export const adamUpdateReference: ReferenceOf<typeof adamUpdateOp> = (
  { p, g, m, v },
  _outputs,
  { learningRate, beta1, beta2, epsilon, step },
) => {
  const correction1 = 1 - beta1 ** step;
  const correction2 = 1 - beta2 ** step;
  for (let i = 0; i < p.data.length; i++) {
    const gradient = g.data[i];
    m.data[i] = beta1 * m.data[i] + (1 - beta1) * gradient;
    v.data[i] = beta2 * v.data[i] + (1 - beta2) * gradient * gradient;
    p.data[i] -= (learningRate * (m.data[i] / correction1)) / (Math.sqrt(v.data[i] / correction2) + epsilon);
  }
};

/**
 * Overwrites a parameter and its two moments, which are parameters of the same shape starting at 0.
 *
 * @example
 * const w = parameter(tensor([1]));
 * const moments = { first: parameter(zeros([1])), second: parameter(zeros([1])) };
 * adamUpdate(w, tensor([2]), moments, { step: 1, learningRate: 0.1 });
 * w; // [0.9]
 */
export function adamUpdate(
  parameter: Tensor,
  gradient: Tensor,
  moments: { readonly first: Tensor; readonly second: Tensor },
  options: Partial<AdamAttrs> & Pick<AdamAttrs, 'step' | 'learningRate'>,
): void {
  const attrs = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, ...options };
  rejectUnknownOptions('adamUpdate', attrs, ['learningRate', 'beta1', 'beta2', 'epsilon', 'step']);
  if (!Number.isInteger(attrs.step) || attrs.step < 1) {
    throw new TensorError('adamUpdate', 'option', `step must be a whole number ≥ 1, got ${attrs.step}`);
  }
  expectParameters('adamUpdate', parameter, moments);
  adamUpdateOp.apply({ p: parameter, g: gradient, m: moments.first, v: moments.second }, attrs);
}
