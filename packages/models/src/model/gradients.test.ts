import { createDensePlanner } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { add, assign, mul, normal, randomKey, scope, sum, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, it } from 'vitest';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import { modelNames } from './catalogue.ts';

useReference({ precision: 'float64' });

/**
 * Along a random direction v of each parameter: ⟨∂loss, v⟩ against δ(ε) = (loss(p + εv) − loss(p − εv)) / 2ε,
 * extrapolated to ε = 0 from two of them: (4δ(ε) − δ(2ε)) / 3.
 */
it.each(modelNames)('%s has the gradients of its loss', async (name) => {
  const model = modelFor(name, smallWorld, { weightDecay: 0.1 });
  const planner = createDensePlanner(smallWorld, { steps: 3, kind: model.kind });
  // The second destination cannot be reached.
  const plan = planner.plan({ sources: [0, 3], destinations: [2, 7] });
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
  planner.dispose();
});
