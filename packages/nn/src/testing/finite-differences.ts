/** Gradients held to finite differences, for layers and losses on the float64 reference. */
import { add, assign, scope, sum, tensor, valueAndGrad, mul } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expect } from 'vitest';

/** Σ w·y with fixed, uneven weights: a scalar without symmetries that hide mistakes. */
export function weightedTotal(y: Tensor): Tensor {
  const weights = Float64Array.from({ length: y.size }, (_, i) => Math.sin(1 + i * 1.7));
  return sum(mul(y, tensor(weights, { shape: y.shape })));
}

/** The gradient of `loss` by each value of each parameter is (loss(p + h) − loss(p − h)) / 2h, to 1e−7. */
export async function expectGradients(
  loss: () => Tensor,
  parameters: ReadonlyMap<string, Tensor>,
): Promise<void> {
  const { grads } = valueAndGrad(loss, [...parameters.values()]);
  const h = 1e-5;
  for (const [name, p] of parameters) {
    const slopes = await grads.get(p)!.data();
    for (let i = 0; i < p.size; i++) {
      const moved = async (by: number): Promise<number> => {
        const start = add(p, 0);
        const step = Float64Array.from({ length: p.size }, (_, k) => (k === i ? by : 0));
        assign(p, add(p, tensor(step, { shape: p.shape })));
        const value = await scope(loss).item();
        assign(p, start);
        return value;
      };
      const measured = ((await moved(h)) - (await moved(-h))) / (2 * h);
      expect(Math.abs(slopes[i] - measured), `${name}[${i}]: ${slopes[i]} for ${measured}`).toBeLessThan(
        1e-7 * Math.max(1, Math.abs(measured)),
      );
    }
  }
}
