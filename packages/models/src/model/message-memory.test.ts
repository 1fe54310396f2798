import { createConePlanner, planSize } from '@flowgrad/graph';
import { traceOps } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { expectAlike, lossAndGradients } from '../testing/loss-and-gradients.ts';
import type { Numbers } from '../testing/loss-and-gradients.ts';
import { modelFor, sizes, smallWorld } from '../testing/small-world.ts';
import { modelNames } from './catalogue.ts';
import { models } from './registry.ts';
import type { ModelName } from './catalogue.ts';

useReference({ precision: 'float64' });

interface Step {
  readonly numbers: Numbers;
  /** Of ops. */
  readonly calls: number;
  readonly messages: number;
}

async function step(name: ModelName, messageMemory: number): Promise<Step> {
  const model = modelFor(name, smallWorld, { messageMemory });
  const planner = createConePlanner(smallWorld, { steps: 3, kind: model.kind });
  const plan = planner.plan({ sources: [0, 3], destinations: [2, 3] });
  let pending: Promise<Numbers> | undefined;
  const { ops } = traceOps(() => {
    pending = lossAndGradients(model, plan);
  });
  const numbers = await pending!;
  const { messages } = planSize(plan);
  planner.dispose();
  return { numbers, calls: ops.reduce((total, { count }) => total + count, 0), messages };
}

describe('messages computed twice', () => {
  const withMessages = modelNames.filter((name) => models[name].options.includes('messageMemory'));

  it.each(withMessages)('give %s the loss and gradients of messages kept', async (name) => {
    const [kept, again] = [await step(name, Infinity), await step(name, 0)];
    expectAlike(again.numbers, kept.numbers, { tolerance: 1e-12 });
    // GGNN sums rows that its nodes share, and so do the MulMlp models of it and of GAT: nothing is made per edge.
    const perEdge = !['GGNN', 'GGNN-NoAct', 'GGNN-MulMlp', 'GAT-MulMlp'].includes(name);
    expect(again.calls > kept.calls).toBe(perEdge);
  });

  it('are those that would take more than messageMemory', async () => {
    const kept = await step('GAT', Infinity);
    const bytes = kept.messages * sizes.d * 4;
    expect((await step('GAT', bytes)).calls).toBe(kept.calls);
    expect((await step('GAT', bytes - 1)).calls).toBeGreaterThan(kept.calls);
  });
});
