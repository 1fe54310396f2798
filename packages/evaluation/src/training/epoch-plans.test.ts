import type { Plan, PlanBatch, Planner } from '@flowgrad/graph';
import { expect, test } from 'vitest';
import { createEpochPlans } from './epoch-plans.ts';

/** Plans that tell their source, which is 10 · epoch + step, in epochs of four steps. */
function tellingPlans() {
  const asked: number[] = [];
  const planner = {
    plan: ({ sources: { 0: source } }: PlanBatch) => {
      asked.push(source);
      return { source, rows: [], steps: [] } as unknown as Plan;
    },
  } as unknown as Planner;
  function* batchesFrom(epoch: number, step: number): Generator<PlanBatch> {
    for (let next = step; next < 4; next++) yield { sources: [10 * epoch + next] };
  }
  const plans = createEpochPlans(planner, batchesFrom);
  return { asked, plans, at: (epoch: number, step: number) => plans.at(epoch, step) as unknown as object };
}

test('makes the plans of an epoch ahead, each once, and none of the next', () => {
  const { asked, at } = tellingPlans();
  const sources = [0, 1, 2, 3].map((step) => at(0, step));
  expect(sources).toMatchObject([0, 1, 2, 3].map((source) => ({ source })));
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(at(1, 0)).toMatchObject({ source: 10 });
});

test('makes them anew where a step is asked for again, or another one than the next', () => {
  const { asked, at, plans } = tellingPlans();
  at(0, 0);
  at(0, 1);
  expect(at(0, 1)).toMatchObject({ source: 1 });
  expect(at(2, 3)).toMatchObject({ source: 23 });
  plans.dispose();
  expect(at(2, 3)).toMatchObject({ source: 23 });
  expect(asked).toEqual([0, 1, 2, 3, 1, 2, 3, 23, 23]);
});

test('has no plan beyond the last step', () => {
  const { at } = tellingPlans();
  expect(() => at(0, 4)).toThrow('plans: expected a step of epoch 0, got 4');
});
