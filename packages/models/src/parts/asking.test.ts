import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { randomKey } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { expectPlansToAgree } from '../testing/cone-agreement.ts';
import { expectGradientsOfLoss } from '../testing/expect-gradients.ts';
import { plainForward, readParameters } from '../testing/plain-equations.ts';
import { wideWorlds } from '../testing/random-worlds.ts';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, sizes, smallWorld as graph } from '../testing/small-world.ts';
import { modelNames, takesQueries } from '../model/catalogue.ts';
import { createModel, models } from '../model/registry.ts';

useReference({ precision: 'float64' });

const [steps, queryCount] = [3, 3];
const asking = modelNames.filter((name) => models[name].asks);
const sources = [0, 3, 5, 0];
const queries = [2, 0, 1, 0];
const hidden = [[1], [9], [], [0, 1]];
const destinations = [3, 1, 4, 0];

it('is for all models with explicit flow that the paper has', () => {
  expect(asking).toEqual(modelNames.filter((name) => name.includes('-')));
  expect(modelNames.filter(takesQueries)).toEqual(asking);
});

describe.each(asking)('%s that is asked', (name) => {
  it('is what its equations say, in scalar loops', async () => {
    const model = modelFor(name, graph, { queryCount });
    const planner = createDensePlanner(graph, { steps, kind: model.kind });
    const made = model.forward(planner.plan({ sources, queries, hidden }), { flows: true });
    const known = await readParameters(model);
    const plain = sources.map((source, i) => {
      const asked = { query: queries[i], hidden: hidden[i] };
      return plainForward({ model: name, graph, parameters: known, steps, ...sizes, asked }, source);
    });
    const closeTo = async (actual: Tensor, expected: readonly number[]): Promise<void> => {
      expect(relativeError(await actual.data(), expected)).toBeLessThan(1e-12);
    };
    await closeTo(
      made.scores,
      plain.flatMap(({ scores }) => scores),
    );
    for (let t = 0; t < steps; t++) {
      await closeTo(
        made.flows![t],
        plain.flatMap(({ flows }) => flows[t]),
      );
    }
    planner.dispose();
  });

  it('gives the same on both plans', async () => {
    await expectPlansToAgree(
      name,
      { tolerance: 1e-10, floor: 1e-3 },
      { numRuns: 8, seed: 1 },
      { queryCount },
    );
    const wide = { queryCount, worlds: wideWorlds };
    await expectPlansToAgree(name, { tolerance: 1e-10, floor: 1e-3 }, { numRuns: 4, seed: 1 }, wide);
  });

  it('has the gradients of its loss', async () => {
    const model = modelFor(name, graph, { queryCount });
    const planner = createConePlanner(graph, { steps, kind: model.kind });
    await expectGradientsOfLoss(
      model,
      planner.plan({ sources, destinations, queries, hidden, lossOnly: true }),
    );
    planner.dispose();
  });
});

it('answers one source otherwise by another query, and never along a hidden edge', async () => {
  const model = modelFor('RW-Stationary', graph, { queryCount });
  const planner = createConePlanner(graph, { steps, kind: model.kind });
  const plan = planner.plan({ sources: [0, 0, 0], queries: [0, 1, 0], hidden: [[], [], [0, 1]] });
  const { scores, flows } = model.forward(plan, { flows: true });
  const rows = (await scores.toArray()) as number[][];
  expect(rows[0]).not.toEqual(rows[1]);
  const [first] = (await Promise.all(flows!.map((flow) => flow.toArray()))) as number[][][];
  expect(first[0][0]).toBeGreaterThan(0);
  expect([first[2][0], first[2][1]]).toEqual([0, 0]);
  // From 0 nothing is left but the self-loop.
  expect(rows[2][0]).toBeCloseTo(1, 12);
  planner.dispose();
});

it('has the parameters that it had, and starts from the same values, where nothing is asked', async () => {
  const settings = { nodeCount: 8, edgeTypeCount: 3, key: randomKey(1), d: 4 };
  const [plain, asked] = [{}, { queryCount: 2 }].map((more) =>
    createModel('GGNN-Mul', { ...settings, ...more }),
  );
  const names = [...parameters(plain).keys()];
  expect([...parameters(asked).keys()].slice(0, names.length)).toEqual(names);
  for (const name of names) {
    expect(await parameters(asked).get(name)!.data()).toEqual(await parameters(plain).get(name)!.data());
  }
});

it('is refused where it does not fit', () => {
  const settings = { nodeCount: 8, edgeTypeCount: 3, key: randomKey(1), d: 4 };
  expect(() => createModel('GAT', { ...settings, heads: 2, attentionChannels: 2, queryCount: 2 })).toThrow(
    "createModel('GAT'): expected options among nodeCount, edgeTypeCount, key, d",
  );
  const { kind } = createModel('RW-Stationary', { ...settings, queryCount: 2 });
  const planner = createConePlanner(graph, { steps, kind });
  expect(() => planner.plan({ sources: [0] })).toThrow(
    'plan: expected a query for each of 1 sources, got none',
  );
  expect(() => planner.plan({ sources: [0], queries: [0, 1] })).toThrow(
    'expected queries for each of 1 sources',
  );
  expect(() => planner.plan({ sources: [0], queries: [0], hidden: [[99]] })).toThrow('hidden edge in 0..17');
  const other = createConePlanner(graph, { steps, kind: { ...kind, asks: false } });
  expect(() => other.plan({ sources: [0], queries: [0] })).toThrow(
    'expected no queries for a model that takes none',
  );
});
