import { memory, scope } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, test } from 'vitest';
import { keepPlans } from './kept-plans.ts';
import { overFlow } from './pass.ts';
import type { Plan } from './plan.ts';
import { nodes, ringPlanner } from './ring-planner.cases.ts';

useReference();

/** What a model reads: all attention on the sources, spread over the nodes. */
const spread = (plan: Plan) => overFlow(plan, {}, ({ ofAllNodes, attention }) => ofAllNodes(attention, 0));

test('a batch that comes back has the plan that it had, and other batches their own', async () => {
  const planner = ringPlanner();
  const plans = keepPlans(planner);
  const before = memory();
  const made: Plan[] = [];
  for (const sources of [[1, 2], [3], [1, 2], [3], [2, 1]]) {
    const attention = plans.within({ sources }, (plan) => {
      made.push(plan);
      return spread(plan);
    });
    const values = await attention.data();
    expect(sources.map((source, example) => values[example * nodes.length + source])).toEqual(
      sources.map(() => 1),
    );
    attention.dispose();
  }
  expect(planner.asked).toEqual([{ sources: [1, 2] }, { sources: [3] }, { sources: [2, 1] }]);
  expect(made[2]).toBe(made[0]);
  expect(made[3]).toBe(made[1]);
  plans.dispose();
  expect(memory()).toEqual(before);
  planner.dispose();
});

test('what is kept stays below the bound, and all of it is given back', () => {
  const planner = ringPlanner();
  const whole = keepPlans(planner);
  for (let source = 0; source < 8; source++) {
    whole.within({ sources: [source] }, (plan) => scope(() => void spread(plan)));
  }
  const all = whole.bytes;
  whole.dispose();
  expect(whole.bytes).toBe(0);
  planner.asked.length = 0;

  const before = memory();
  const half = keepPlans(planner, { bytes: all / 2 });
  for (let epoch = 0; epoch < 3; epoch++) {
    for (let source = 0; source < 8; source++) {
      half.within({ sources: [source] }, (plan) => scope(() => void spread(plan)));
      expect(half.bytes).toBeLessThanOrEqual(all / 2);
    }
  }
  expect(half.bytes).toBeGreaterThan(all / 4);
  // The first half is kept, and the rest made anew each time.
  expect(planner.asked.map(({ sources }) => sources[0])).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7],
    4,
    5,
    6,
    7,
    4,
    5,
    6,
    7,
  ]);
  half.dispose();
  expect(memory()).toEqual(before);
  planner.dispose();
});

test('a plan that could not be used leaves nothing behind', () => {
  const planner = ringPlanner();
  const plans = keepPlans(planner);
  const before = memory();
  const fail = (plan: Plan): never => {
    spread(plan);
    throw new Error('no');
  };
  expect(() => plans.within({ sources: [1] }, fail)).toThrow('no');
  expect(plans.bytes).toBe(0);
  expect(memory()).toEqual(before);
  planner.dispose();
});
