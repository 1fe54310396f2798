import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import type { Planner, PlannerOptions } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { scope, traceOps, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import { paperModelNames } from './catalogue.ts';
import type { ModelName } from './catalogue.ts';

useReference({ precision: 'float64' });

/**
 * Ops of a loss with gradients over four steps, on the dense and on the cone plan, when models still chose their ops by
 * hand (counted by this test on the code before edge expressions). Views are left out: nothing runs for them.
 */
const byHand: Readonly<Record<(typeof paperModelNames)[number], readonly [dense: number, cone: number]>> = {
  'RW-Stationary': [60, 60],
  'RW-Dynamic': [178, 178],
  FullGN: [318, 318],
  'FullGN-NoAct': [287, 287],
  'FullGN-Mul': [305, 305],
  'FullGN-MulMlp': [330, 330],
  GGNN: [108, 115],
  'GGNN-NoAct': [130, 130],
  'GGNN-Mul': [154, 170],
  'GGNN-MulMlp': [147, 157],
  GAT: [225, 248],
  'GAT-NoAct': [222, 222],
  'GAT-Mul': [240, 261],
  'GAT-MulMlp': [229, 244],
};

type CreatePlanner = (graph: typeof smallWorld, options: PlannerOptions) => Planner;

function opsOf(name: ModelName, create: CreatePlanner): number {
  const model = modelFor(name, smallWorld);
  const planner = create(smallWorld, { steps: 4, kind: model.kind });
  const plan = planner.plan({
    sources: [0, 3],
    destinations: [2, 6],
    lossOnly: create === createConePlanner,
  });
  const { ops } = traceOps(() => {
    scope(() => {
      valueAndGrad(() => model.loss(plan), [...parameters(model).values()]);
    });
  });
  planner.dispose();
  return ops.reduce((total, { op, count }) => total + (op === 'reshape' ? 0 : count), 0);
}

describe('lowering', () => {
  it.each(paperModelNames)('needs no more ops for %s than were chosen by hand', (name) => {
    const [dense, cone] = byHand[name];
    expect(opsOf(name, createDensePlanner)).toBeLessThanOrEqual(dense);
    expect(opsOf(name, createConePlanner)).toBeLessThanOrEqual(cone);
  });
});
