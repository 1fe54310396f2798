import { createConePlanner, createGraph, withSelfLoops } from '@flowgrad/graph';
import { createAdam, parameters } from '@flowgrad/nn';
import { scope, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, it } from 'vitest';
import { expectAlike, readAll } from '../testing/loss-and-gradients.ts';
import type { Numbers } from '../testing/loss-and-gradients.ts';
import { modelFor } from '../testing/small-world.ts';
import type { ModelName } from './catalogue.ts';

useReference({ precision: 'float64' });

const count = 60;
const isTable = (name: string): boolean => name === 'u';
const weightDecay = 1e-3;

/** A ring in two directions: a walk of two steps stays close to where it begins. */
const around = Array.from({ length: count }, (_, node) => node);
const graph = withSelfLoops(
  createGraph({
    nodeCount: count,
    senders: [...around, ...around],
    receivers: [
      ...around.map((node) => (node + 1) % count),
      ...around.map((node) => (node + count - 1) % count),
    ],
    edgeTypes: [...around.map(() => 0), ...around.map(() => 1)],
    edgeTypeCount: 2,
  }),
);

/** All parameters and moments after hundreds of steps, and how many embeddings a step read at most. */
async function train(name: ModelName, byRow: boolean): Promise<{ values: Numbers; most: number }> {
  return scope(async () => {
    const model = modelFor(name, graph, { weightDecay });
    const named = parameters(model);
    const u = named.get('u')!;
    const planner = createConePlanner(graph, { steps: 2, kind: model.kind });
    const adam = createAdam(named, {
      learningRate: 1e-2,
      ...(byRow && { byRow: isTable, weightDecay: { rate: weightDecay, on: isTable } }),
    });
    let most = 0;
    for (let step = 0; step < 200; step++) {
      scope(() => {
        const source = (step * 17) % count;
        const plan = planner.plan({
          sources: [source],
          destinations: [(source + 1) % count],
          lossOnly: true,
        });
        most = Math.max(most, plan.nodes?.length ?? count);
        if (!byRow) {
          adam.apply(valueAndGrad(() => model.loss(plan)).grads);
          return;
        }
        adam.catchUp(u, plan.nodes);
        adam.apply(valueAndGrad(() => model.loss(plan, { weightDecay: false }), { byRow: [u] }).grads);
      });
    }
    adam.catchUp();
    const { first, second } = adam.moments.get('u')!;
    const values = await readAll({ ...Object.fromEntries(named), first, second });
    planner.dispose();
    adam.dispose();
    return { values, most };
  });
}

it.each(['RW-Stationary', 'GGNN-NoAct', 'GAT-MulMlp', 'GGNN-MulMlp'] as const)(
  '%s learns by row what it learns when all embeddings are updated at every step',
  async (name) => {
    const byRow = await train(name, true);
    expect(byRow.most).toBeLessThan(count / 2);
    expectAlike(byRow.values, (await train(name, false)).values, { tolerance: 1e-9, floor: 1e-6 });
  },
);
