import { createConePlanner, createDensePlanner, createGraph } from '@flowgrad/graph';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { expectPlansToAgree } from '../testing/cone-agreement.ts';
import { expectGradientsOfLoss } from '../testing/expect-gradients.ts';
import { plainForward, readParameters } from '../testing/plain-equations.ts';
import { loopedWorlds, wideWorlds } from '../testing/random-worlds.ts';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, sizes, smallWorld as graph } from '../testing/small-world.ts';
import { modelNames } from '../model/catalogue.ts';
import { models } from '../model/registry.ts';

useReference({ precision: 'float64' });

const steps = 4;
const sources = [0, 3, 5, 6, 7];
const stoppable = modelNames.filter((name) => models[name].options.includes('stopping'));
const ways = [
  ...stoppable.map((name) => [name, 'missing'] as const),
  ...(['RW-Stationary', 'RW-Dynamic', 'GGNN-MulMlp'] as const).map((name) => [name, 'learned'] as const),
];

it('is an option of all models with explicit flow that the paper has, and of no other', () => {
  expect(stoppable).toEqual(modelNames.filter((name) => name.includes('-')));
});

describe.each(ways)('%s that stops, %s', (name, stopping) => {
  const closeTo = async (actual: Tensor, expected: readonly number[]): Promise<void> => {
    expect(relativeError(await actual.data(), expected)).toBeLessThan(1e-12);
  };

  it('is what its equations say, in scalar loops', async () => {
    const model = modelFor(name, graph, { stopping });
    const planner = createDensePlanner(graph, { steps, kind: model.kind });
    const made = model.forward(planner.plan({ sources }), { flows: true });
    const known = await readParameters(model);
    const plain = sources.map((source) =>
      plainForward({ model: name, graph, parameters: known, steps, ...sizes, stopping }, source),
    );
    await closeTo(
      made.scores,
      plain.flatMap(({ scores }) => scores),
    );
    for (const t of [0, 1, 2, 3, 4]) {
      await closeTo(
        made.attention![t],
        plain.flatMap(({ attention }) => attention[t]),
      );
      await closeTo(
        made.stopped![t],
        plain.flatMap(({ stopped }) => stopped[t]),
      );
      if (t < steps)
        await closeTo(
          made.flows![t],
          plain.flatMap(({ flows }) => flows[t]),
        );
    }
    planner.dispose();
  });

  it('loses no attention, and what has stopped never moves again', async () => {
    const model = modelFor(name, graph, { stopping });
    const planner = createDensePlanner(graph, { steps, kind: model.kind });
    const { attention, stopped } = model.forward(planner.plan({ sources }));
    const [all, still] = await Promise.all(
      [attention!, stopped!].map((of) =>
        Promise.all(of.map((each) => each.toArray() as Promise<number[][]>)),
      ),
    );
    for (const [t, examples] of all.entries()) {
      for (const [example, row] of examples.entries()) {
        expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        const before = still[Math.max(0, t - 1)][example];
        expect(still[t][example].every((each, i) => each >= before[i] && each <= row[i] + 1e-15)).toBe(true);
      }
    }
    planner.dispose();
  });

  it('gives on the cone plan what it gives on the dense plan', async () => {
    const closeness = { tolerance: 1e-10, floor: 1e-3 };
    await expectPlansToAgree(name, closeness, { numRuns: 6, seed: 2 }, { stopping, worlds: loopedWorlds });
    await expectPlansToAgree(name, closeness, { numRuns: 3, seed: 2 }, { stopping, worlds: wideWorlds });
  });

  it('has the gradients of its loss', async () => {
    const model = modelFor(name, graph, { stopping });
    const planner = createConePlanner(graph, { steps, kind: model.kind });
    // Of node 4 one type is missing.
    const plan = planner.plan({ sources: [0, 4], destinations: [2, 4], lossOnly: true });
    await expectGradientsOfLoss(model, plan);
    planner.dispose();
  });
});

it('stays for good where all types but the loop are missing, and never where none is', async () => {
  // Of two types both leave node 0 and none leaves node 2.
  const world = createGraph({
    nodeCount: 3,
    senders: [0, 0, 1, 0, 1, 2],
    receivers: [1, 2, 2, 0, 1, 2],
    edgeTypes: [0, 1, 0, 2, 2, 2],
    edgeTypeCount: 3,
  });
  const model = modelFor('RW-Stationary', world, { stopping: 'missing' });
  const planner = createConePlanner(world, { steps: 1, kind: model.kind });
  const { stopped } = model.forward(planner.plan({ sources: [0, 1, 2] }));
  const [first, second, third] = (await stopped![1].toArray()) as number[][];
  expect(first).toEqual([0, 0, 0]);
  expect(second[1]).toBeGreaterThan(0);
  expect(second[1]).toBeLessThan(1);
  expect(third).toEqual([0, 0, 1]);
  planner.dispose();
});

it('says what a graph without self-loops lacks', () => {
  const bare = createGraph({ nodeCount: 2, senders: [0], receivers: [1], edgeTypes: [0], edgeTypeCount: 2 });
  const model = modelFor('GGNN-MulMlp', bare, { stopping: 'learned' });
  const planner = createDensePlanner(bare, { steps: 2, kind: model.kind });
  const plan = planner.plan({ sources: [0] });
  expect(() => model.forward(plan)).toThrow(
    'expected a graph with a self-loop of the last type on every node for a model that stops, got one without ' +
      '(plan on withSelfLoops(graph))',
  );
  planner.dispose();
});
