import type { Plan } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { add, assign, mul, normal, randomKey, scope, sum, valueAndGrad } from '@flowgrad/tensor';
import { expect } from 'vitest';
import type { Model } from '../model/model.ts';

/**
 * Along a random direction v of each parameter: ⟨∂loss, v⟩ against δ(ε) = (loss(p + εv) − loss(p − εv)) / 2ε,
 * extrapolated to ε = 0 from two of them: (4δ(ε) − δ(2ε)) / 3.
 */
export async function expectGradientsOfLoss(model: Model, plan: Plan): Promise<void> {
  const named = parameters(model);
  const { grads } = valueAndGrad(() => model.loss(plan), [...named.values()]);
  // Small, so that no logit of GAT crosses the kink of its LeakyReLU.
  const epsilon = 1e-5;
  for (const [parameter, p] of named) {
    const direction = normal(randomKey(7).child(parameter), p.shape);
    const slope = await sum(mul(grads.get(p)!, direction)).item();
    const moved = async (by: number): Promise<number> => {
      const start = add(p, 0);
      assign(p, add(p, mul(direction, by)));
      const value = await scope(() => model.loss(plan)).item();
      assign(p, start);
      return value;
    };
    const rise = async (by: number): Promise<number> => ((await moved(by)) - (await moved(-by))) / (2 * by);
    const measured = (4 * (await rise(epsilon)) - (await rise(2 * epsilon))) / 3;
    expect(Math.abs(slope - measured), parameter).toBeLessThan(1e-8 * Math.max(1, Math.abs(slope)));
    expect(slope, parameter).not.toBe(0);
  }
}
