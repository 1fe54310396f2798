import { memory, scope } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, test } from 'vitest';
import { overFlow } from './pass.ts';
import { planAhead } from './plan-ahead.ts';
import { planSize } from './plan.ts';
import type { Plan, PlanBatch } from './plan.ts';
import { nodes, ringPlanner } from './ring-planner.cases.ts';

useReference();

const batches = nodes.map((source): PlanBatch => ({ sources: [source], destinations: [(source + 3) % 40] }));

/** What a model reads of a plan: where its attention begins. */
const startOf = async (plan: Plan): Promise<number> => {
  const spread = scope(() => overFlow(plan, {}, ({ ofAllNodes, attention }) => ofAllNodes(attention, 0)));
  const values = await spread.data();
  spread.dispose();
  return values.indexOf(1);
};

test('gives the plan of each batch in turn, several made at a time, and frees it with the next', async () => {
  const planner = ringPlanner();
  const before = memory();
  const starts: number[] = [];
  const aheadBy: number[] = [];
  for (const plan of planAhead(planner, batches)) {
    starts.push(await startOf(plan));
    aheadBy.push(planner.asked.length - starts.length);
  }
  expect(starts).toEqual(nodes);
  expect(planner.asked).toEqual(batches);
  expect(aheadBy.slice(0, 18)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14]);
  expect(aheadBy.at(-1)).toBe(0);
  expect(memory()).toEqual(before);
  planner.dispose();
});

test('a plan outlives the scope it was made in, and not its turn', async () => {
  const planner = ringPlanner();
  const plans = planAhead(planner, batches);
  const first = scope(() => plans.next().value!);
  expect(await startOf(first)).toBe(0);
  const second = plans.next().value!;
  expect(() => scope(() => overFlow(first, {}, ({ attention }) => attention))).toThrow(
    "freed by scope 'a plan ahead'",
  );
  expect(await startOf(second)).toBe(1);
  plans.return();
  planner.dispose();
});

test('makes one at a time where plans are large', () => {
  const planner = ringPlanner(8);
  const large = [3, 7].map((source): PlanBatch => ({ sources: new Int32Array(40_000).fill(source) }));
  const [first] = planAhead(planner, large);
  expect(planSize(first).rows + planSize(first).messages).toBeGreaterThan(2 ** 18);
  expect(planner.asked).toEqual([large[0]]);
  planner.dispose();
});

test('frees what it made ahead when no more is asked for, or a batch is refused', () => {
  const planner = ringPlanner();
  const before = memory();
  const open = { count: 0 };
  function* counted(list: readonly PlanBatch[]): Generator<PlanBatch> {
    open.count += 1;
    try {
      yield* list;
    } finally {
      open.count -= 1;
    }
  }
  for (const plan of planAhead(planner, counted(batches))) {
    scope(() => void overFlow(plan, {}, ({ attention }) => attention));
    break;
  }
  expect(open.count).toBe(0);
  expect(memory()).toEqual(before);
  expect(() => [...planAhead(planner, counted([...batches.slice(0, 2), { sources: [40] }]))]).toThrow(
    'plan: expected sources[0] in 0..39',
  );
  expect(open.count).toBe(0);
  expect(memory()).toEqual(before);
  planner.dispose();
});
