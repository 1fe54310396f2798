import { add, assign, mul, noGrad, scope, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

/**
 * Running means of parameters in training (Polyak and Juditsky, 1992): p̄ ← βp̄ + (1−β)p, by name. What is averaged over
 * the last 1/(1−β) steps or so has lost the noise of single ones, and is often better than where training is.
 *
 * `step` is the number of updates so far, 1 after the first. Early on β is smaller, t−1 over t+9 at step t, so that the
 * means do not remember start values: the first is p itself.
 */
export function averageInto(
  means: ReadonlyMap<string, Tensor>,
  parameters: ReadonlyMap<string, Tensor>,
  { decay, step }: { readonly decay: number; readonly step: number },
): void {
  if (!(decay >= 0 && decay < 1)) {
    throw new TensorError('averageInto', 'option', `expected decay in 0 ≤ β < 1, got ${decay}`);
  }
  const beta = Math.min(decay, (step - 1) / (step + 9));
  const update = (): void => {
    for (const [name, p] of parameters) {
      const mean = means.get(name);
      if (!mean) throw new TensorError('averageInto', 'option', `expected a mean of '${name}', got none`);
      assign(mean, add(mul(mean, beta), mul(p, 1 - beta)));
    }
  };
  scope(() => {
    noGrad(update);
  }, 'averageInto');
}
