import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import type { Plan } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { scope, valueAndGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomWorlds } from '../testing/random-worlds.ts';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor } from '../testing/small-world.ts';
import { useFloat64 } from '../testing/use-reference.ts';
import type { Model } from './model.ts';
import { modelNames } from './registry.ts';

useFloat64();

type Numbers = Record<string, ArrayLike<number>>;

async function read(tensors: Record<string, Tensor>): Promise<Numbers> {
  const entries = Object.entries(tensors).map(async ([name, x]) => [name, await x.data()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function lossAndGradients(model: Model, plan: Plan): Promise<Numbers> {
  const named = [...parameters(model)];
  const { value, grads } = valueAndGrad(
    () => model.loss(plan),
    named.map(([, p]) => p),
  );
  return read({ loss: value, ...Object.fromEntries(named.map(([name, p]) => [name, grads.get(p)!])) });
}

function everythingForward(model: Model, plan: Plan): Promise<Numbers> {
  const hasFlow = plan.flow !== undefined;
  const { scores, attention = [], flows = [] } = model.forward(plan, { flows: hasFlow });
  return read({
    scores,
    ...Object.fromEntries(attention.map((a, t) => [`attention at ${t}`, a])),
    ...Object.fromEntries(flows.map((flow, t) => [`flow at ${t}`, flow])),
  });
}

function expectAlike(actual: Numbers, expected: Numbers): void {
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  for (const [name, values] of Object.entries(expected)) {
    expect(relativeError(actual[name], values), name).toBeLessThan(1e-10);
  }
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
        expectAlike(await everythingForward(model, narrow), await everythingForward(model, whole));
        const expected = await lossAndGradients(model, whole);
        expectAlike(await lossAndGradients(model, narrow), expected);
        expectAlike(await lossAndGradients(model, narrowest), expected);
        dense.dispose();
        cone.dispose();
      }),
    ),
    { numRuns: 15, seed: 1 },
  );
});
