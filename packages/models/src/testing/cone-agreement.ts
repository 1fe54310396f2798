/** Both plans on random graphs: the same scores, attention, flows, loss and gradients. */
import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import type { Graph, Plan } from '@flowgrad/graph';
import { scope } from '@flowgrad/tensor';
import fc from 'fast-check';
import type { Model, ModelSettings } from '../model/model.ts';
import type { ModelName } from '../model/catalogue.ts';
import { expectAlike, lossAndGradients, readAll } from './loss-and-gradients.ts';
import type { Closeness, Numbers } from './loss-and-gradients.ts';
import { loopedWorlds, randomWorlds } from './random-worlds.ts';
import type { RandomWorld } from './random-worlds.ts';
import { modelFor } from './small-world.ts';

function everythingForward(model: Model, plan: Plan): Promise<Numbers> {
  const hasFlow = plan.kind.flow;
  const { scores, attention = [], flows = [] } = model.forward(plan, { flows: hasFlow });
  return readAll({
    scores,
    ...Object.fromEntries(attention.map((a, t) => [`attention at ${t}`, a])),
    ...Object.fromEntries(flows.map((flow, t) => [`flow at ${t}`, flow])),
  });
}

/** A query for each source, and the first edge that leaves it hidden for every other. */
function questions({ senders, receivers }: Graph, sources: readonly number[], queryCount: number) {
  const hidden = sources.map((source, i) => {
    const edge = senders.findIndex((sender, e) => sender === source && receivers[e] !== source);
    return edge < 0 || i % 2 === 1 ? [] : [edge];
  });
  return { queries: sources.map((_, i) => i % queryCount), hidden };
}

/** Tries random worlds; one that fails is shrunk, and named with the seed that finds it again. */
export async function expectPlansToAgree(
  name: ModelName,
  closeness: Closeness,
  runs: { readonly numRuns: number; readonly seed?: number },
  {
    worlds = name === 'Walker' ? loopedWorlds : randomWorlds,
    ...settings
  }: Partial<ModelSettings> & { readonly worlds?: fc.Arbitrary<RandomWorld> } = {},
): Promise<void> {
  const agrees = fc.asyncProperty(worlds, ({ graph, steps, sources, destinations }) =>
    scope(async () => {
      const model = modelFor(name, graph, settings);
      const options = { steps, kind: model.kind };
      const [dense, cone] = [createDensePlanner(graph, options), createConePlanner(graph, options)];
      const { queryCount = 0 } = settings;
      const batch = { sources, destinations, ...(queryCount > 0 && questions(graph, sources, queryCount)) };
      const whole = dense.plan(batch);
      const narrow = cone.plan(batch);
      const narrowest = cone.plan({ ...batch, lossOnly: true });
      expectAlike(await everythingForward(model, narrow), await everythingForward(model, whole), closeness);
      const expected = await lossAndGradients(model, whole);
      expectAlike(await lossAndGradients(model, narrow), expected, closeness);
      expectAlike(await lossAndGradients(model, narrowest), expected, closeness);
      dense.dispose();
      cone.dispose();
    }),
  );
  await fc.assert(agrees, runs);
}
