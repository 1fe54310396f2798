/** What the norm layers share: y = gain ⊙ (x − μ) / √(σ² + ε) + shift. */
import { add, div, mul, ones, parameter, scope, sqrt, TensorError, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expectExtents, expectNumber } from '../options.ts';
import { showShape } from '../shape.ts';

/** What every norm layer takes. */
export interface NormOptions {
  /** The width of x. */
  readonly d: number;
  /** Keeps the division finite where x does not vary: 1e−5 unless given. */
  readonly epsilon?: number;
}

/** Both [d]: what the normalised values are scaled by, from 1 on, and moved by, from 0 on. */
export interface NormParameters {
  readonly gain: Tensor;
  readonly shift: Tensor;
}

/** Checks the options that all norm layers have, and makes the parameters that all of them have. */
export function startNorm(
  where: string,
  { d, epsilon = 1e-5 }: NormOptions,
): NormParameters & { readonly epsilon: number } {
  expectExtents(where, { d });
  expectNumber(where, 'epsilon', epsilon, 'a finite number > 0', Number.isFinite(epsilon) && epsilon > 0);
  return scope(() => ({ gain: parameter(ones([d])), shift: parameter(zeros([d])), epsilon }), where);
}

/** Raises unless x has rows of width d, and no more axes than `most`. */
export function expectRows(where: string, x: Tensor, d: number, most = Infinity): void {
  if (x.rank >= 2 && x.rank <= most && x.shape.at(-1) === d) return;
  const wanted = most === 2 ? `[n, ${d}]` : `[.., n, ${d}]`;
  throw new TensorError(where, 'shape', `x must have shape ${wanted}, got ${showShape(x.shape)}`);
}

/** gain ⊙ c / √(σ² + ε) + shift, for c = x − μ that is centred already. */
export function scaleAndShift(
  centred: Tensor,
  variance: Tensor,
  { gain, shift, epsilon }: NormParameters & { readonly epsilon: number },
): Tensor {
  return add(mul(centred, div(gain, sqrt(add(variance, epsilon)))), shift);
}
