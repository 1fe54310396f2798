import { add, div, maximum, mul, noGrad, scope, sqrt, square, sum } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expectNumber } from '../options.ts';

/** Raises unless `limit` can bound a norm. */
export function expectLimit(where: string, name: string, limit: number): void {
  expectNumber(where, name, limit, 'a finite number > 0', Number.isFinite(limit) && limit > 0);
}

/**
 * Scales gradients so that their norm, taken over all of them together, is at most `limit`:
 *
 *   g ← g · c / max(‖g‖, c)
 *
 * which leaves them as they are, to the bit, while ‖g‖ ≤ c, and divides by no zero. All of it runs on the device:
 * nothing is read back. The squares are float32: norms from about 1e19 on overflow, and then every g becomes 0.
 */
export function clipByGlobalNorm(gradients: readonly Tensor[], limit: number): Tensor[] {
  expectLimit('clipByGlobalNorm', 'limit', limit);
  if (gradients.length === 0) return [];
  return scope(
    () =>
      noGrad(() => {
        const squares = gradients.map((gradient) => sum(square(gradient)));
        const norm = sqrt(squares.reduce((total, one) => add(total, one)));
        const factor = div(limit, maximum(norm, limit));
        return gradients.map((gradient) => mul(gradient, factor));
      }),
    'clipByGlobalNorm',
  );
}
