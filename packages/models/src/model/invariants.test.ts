import { createDensePlanner, createGraph, withSelfLoops } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { assign, gather, rowIndex, scope, slice, valueAndGrad } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import type { Forward, Model } from './model.ts';
import { modelNames } from './catalogue.ts';

useReference({ precision: 'float64' });

const steps = 5;
const explicit = modelNames.filter((name) => name.includes('-'));
const acted = modelNames.filter((name) => name.includes('-Mul'));

function forward(model: Model, graph: Graph, sources: readonly number[], flows = false): Forward {
  const planner = createDensePlanner(graph, { steps, kind: model.kind });
  try {
    return model.forward(planner.plan({ sources }), { flows });
  } finally {
    planner.dispose();
  }
}
const rowsOf = async (x: Tensor): Promise<number[][]> => (await x.toArray()) as number[][];

describe.each(explicit)('%s', (name) => {
  it('has attention that is never negative and adds up to 1 at every step, flowing or not', async () => {
    const sources = [0, 2, 4, 6, 7];
    const { attention, flows } = forward(modelFor(name, smallWorld), smallWorld, sources, true);
    expect([attention!.length, flows!.length]).toEqual([steps + 1, steps]);
    for (const distribution of [...attention!, ...flows!]) {
      for (const row of await rowsOf(distribution)) {
        expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(row.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-12);
      }
    }
  });

  it('keeps attention on a node with no way out but its self-loop', async () => {
    const { attention } = forward(modelFor(name, smallWorld), smallWorld, [6, 7]);
    for (const distribution of attention!) {
      const rows = await rowsOf(distribution);
      expect([rows[0][6], rows[1][7]]).toEqual([1, 1]);
    }
  });
});

/** Node 3 sends to node 0, along the only edge of type 1, and nothing leads to it. */
const unattended = withSelfLoops(
  createGraph({
    nodeCount: 4,
    senders: [0, 1, 2, 3],
    receivers: [1, 2, 0, 0],
    edgeTypes: [0, 0, 0, 1],
    edgeTypeCount: 2,
  }),
);
const gradientOfItsMessage = async (name: (typeof modelNames)[number]): Promise<number> => {
  const model = modelFor(name, unattended);
  const planner = createDensePlanner(unattended, { steps: 4, kind: model.kind });
  const plan = planner.plan({ sources: [0], destinations: [1] });
  const { grads } = valueAndGrad(() => model.loss(plan));
  const gradient = grads.get(parameters(model).get('msg.w')!)!;
  planner.dispose();
  const axis = gradient.rank - 3;
  const start = gradient.shape.map((_, a) => (a === axis ? 1 : 0));
  const end = gradient.shape.map((extent, a) => (a === axis ? 2 : extent));
  return Math.max(...(await slice(gradient, start, end).data()).map(Math.abs));
};

it.each(acted)('%s does not look at a message that no attention goes with', async (name) => {
  expect(await gradientOfItsMessage(name)).toBe(0);
});

it.each(['GGNN-NoAct', 'GAT-NoAct', 'FullGN-NoAct'] as const)('%s does', async (name) => {
  expect(await gradientOfItsMessage(name)).toBeGreaterThan(1e-6);
});

describe.each(modelNames)('%s', (name) => {
  it('gives relabelled nodes relabelled scores', async () => {
    const label = [3, 7, 0, 5, 1, 6, 2, 4];
    const { nodeCount, senders, receivers, edgeTypes, edgeTypeCount } = smallWorld;
    const relabelled = createGraph({
      nodeCount,
      senders: senders.map((node) => label[node]),
      receivers: receivers.map((node) => label[node]),
      edgeTypes,
      edgeTypeCount,
    });
    const model = modelFor(name, smallWorld);
    const before = await rowsOf(forward(model, smallWorld, [0, 5]).scores);
    const u = parameters(model).get('u')!;
    scope(() => {
      const inverse = label.map((_, node) => label.indexOf(node));
      assign(u, gather(u, rowIndex(inverse, nodeCount)));
    });
    const after = await rowsOf(forward(model, relabelled, [label[0], label[5]]).scores);
    before.forEach((row, example) => {
      const moved = row.map((_, node) => after[example][label[node]]);
      expect(relativeError(moved, row)).toBeLessThan(1e-12);
    });
  });

  it('gives an example alone the scores it has in a batch of sixteen', async () => {
    const model = modelFor(name, smallWorld);
    const sources = Array.from({ length: 16 }, (_, example) => (example * 5) % 8);
    const together = await rowsOf(forward(model, smallWorld, sources).scores);
    for (const example of [0, 7, 15]) {
      const [alone] = await rowsOf(forward(model, smallWorld, [sources[example]]).scores);
      expect(relativeError(alone, together[example])).toBeLessThan(1e-12);
    }
  });
});
