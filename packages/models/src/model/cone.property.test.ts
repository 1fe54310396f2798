import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import type { Plan } from '@flowgrad/graph';
import { scope } from '@flowgrad/tensor';
import fc from 'fast-check';
import { it } from 'vitest';
import { expectAlike, lossAndGradients, readAll } from '../testing/loss-and-gradients.ts';
import type { Numbers } from '../testing/loss-and-gradients.ts';
import { randomWorlds } from '../testing/random-worlds.ts';
import { modelFor } from '../testing/small-world.ts';
import { useFloat64 } from '../testing/use-reference.ts';
import type { Model } from './model.ts';
import { modelNames } from './registry.ts';

useFloat64();

const tolerance = 1e-10;

function everythingForward(model: Model, plan: Plan): Promise<Numbers> {
  const hasFlow = plan.flow !== undefined;
  const { scores, attention = [], flows = [] } = model.forward(plan, { flows: hasFlow });
  return readAll({
    scores,
    ...Object.fromEntries(attention.map((a, t) => [`attention at ${t}`, a])),
    ...Object.fromEntries(flows.map((flow, t) => [`flow at ${t}`, flow])),
  });
}

it.each(modelNames)('%s gives on the cone plan what it gives on the dense plan', async (name) => {
  await fc.assert(
    fc.asyncProperty(randomWorlds, ({ graph, steps, sources, destinations }) =>
      scope(async () => {
        const model = modelFor(name, graph);
        const options = { steps, kind: model.kind };
        const [dense, cone] = [createDensePlanner(graph, options), createConePlanner(graph, options)];
        const whole = dense.plan({ sources, destinations });
        const narrow = cone.plan({ sources, destinations });
        const narrowest = cone.plan({ sources, destinations, lossOnly: true });
        expectAlike(await everythingForward(model, narrow), await everythingForward(model, whole), tolerance);
        const expected = await lossAndGradients(model, whole);
        expectAlike(await lossAndGradients(model, narrow), expected, tolerance);
        expectAlike(await lossAndGradients(model, narrowest), expected, tolerance);
        dense.dispose();
        cone.dispose();
      }),
    ),
    { numRuns: 15, seed: 1 },
  );
});
