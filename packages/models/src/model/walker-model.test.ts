import { createConePlanner, createDensePlanner, createGraph } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor } from '../testing/small-world.ts';
import type { Model } from './model.ts';

useReference({ precision: 'float64' });

/** Not every node has an edge of every type; nothing leaves node 4, and nothing leads to node 5. */
const world = createGraph({
  nodeCount: 6,
  senders: [0, 0, 1, 1, 2, 3, 3, 5],
  receivers: [1, 2, 2, 3, 0, 4, 1, 0],
  edgeTypes: [0, 2, 1, 0, 2, 1, 0, 2],
  edgeTypeCount: 3,
});
const [steps, d] = [4, 6];
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const softmaxOf = (logits: readonly number[]): number[] =>
  logits.map((z) => Math.exp(z) / total(logits.map(Math.exp)));

/** The equations in scalar loops, for one source: attention and what has stopped of it, at t = 0 … T. */
async function plainWalk(model: Model, graph: Graph, source: number, modes: number) {
  const data = new Map<string, ArrayLike<number>>();
  for (const [name, each] of parameters(model)) data.set(name, await each.data());
  const affine = (x: readonly number[], layer: string, out: number): number[] =>
    range(out).map(
      (o) =>
        total(x.map((value, i) => value * data.get(`${layer}.w`)![i * out + o])) + data.get(`${layer}.b`)![o],
    );
  const { nodeCount, edgeTypeCount, senders, receivers, edgeTypes } = graph;
  const edges = range(graph.edgeCount);
  let a = range(nodeCount).map((i) => range(modes).map((m) => Number(i === source && m === 0)));
  let stopped = range(nodeCount).map(() => 0);
  const attention = [a.map((each, i) => total(each) + stopped[i])];
  const resting = [stopped];
  for (const t of range(steps)) {
    const angles = range(4).map((k) => (Math.PI * (k + 1) * t) / steps);
    const clock = affine(
      angles.flatMap((angle) => [Math.sin(angle), Math.cos(angle)]),
      'clock',
      d,
    );
    const next = range(nodeCount).map(() => range(modes).map(() => 0));
    const nextStopped = [...stopped];
    for (const i of range(nodeCount)) {
      const h = range(modes).map((m) =>
        range(d).map((c) => Math.tanh(data.get('u')![i * d + c] + clock[c] + data.get('mode.w')![m * d + c])),
      );
      const Q = h.map((each, m) =>
        modes === 1
          ? [1]
          : softmaxOf(affine(each, 'change', modes).map((z, other) => z + (other === m ? 3 : 0))),
      );
      const b = range(modes).map((other) => total(range(modes).map((m) => a[i][m] * Q[m][other])));
      for (const m of range(modes)) {
        const D = softmaxOf(affine(h[m], 'move', edgeTypeCount));
        for (const k of range(edgeTypeCount)) {
          const leaving = edges.filter((e) => senders[e] === i && edgeTypes[e] === k);
          for (const e of leaving) next[receivers[e]][m] += b[m] * D[k];
          if (leaving.length === 0) nextStopped[i] += b[m] * D[k];
        }
      }
    }
    [a, stopped] = [next, nextStopped];
    attention.push(a.map((each, i) => total(each) + stopped[i]));
    resting.push(stopped);
  }
  return { attention, resting };
}

describe.each([1, 3])('a walker of %i modes', (modes) => {
  let model: Model;
  beforeAll(() => {
    model = modelFor('Walker', world, { d, modes });
  });
  const sources = [0, 3, 4, 5];

  it.each([createDensePlanner, createConePlanner])('is what its equations say, by $name', async (create) => {
    const planner = create(world, { steps, kind: model.kind });
    const { attention, stopped } = model.forward(planner.plan({ sources }));
    const plain = await Promise.all(sources.map((source) => plainWalk(model, world, source, modes)));
    for (const t of range(steps + 1)) {
      const expected = plain.flatMap((each) => each.attention[t]);
      expect(relativeError(await attention![t].data(), expected)).toBeLessThan(1e-12);
      const resting = plain.flatMap((each) => each.resting[t]);
      expect(relativeError(await stopped![t].data(), resting)).toBeLessThan(1e-12);
    }
    planner.dispose();
  });

  it('loses no attention, whether it moves or has stopped', async () => {
    const planner = createDensePlanner(world, { steps, kind: model.kind });
    const { attention } = model.forward(planner.plan({ sources }));
    for (const each of attention!) {
      for (const row of (await each.toArray()) as number[][]) expect(total(row)).toBeCloseTo(1, 12);
    }
    planner.dispose();
  });

  it('stays where nothing leads on', async () => {
    const planner = createConePlanner(world, { steps, kind: model.kind });
    const { scores } = model.forward(planner.plan({ sources: [4] }));
    expect(((await scores.toArray()) as number[][])[0][4]).toBeCloseTo(1, 12);
    planner.dispose();
  });
});

it('has nothing that belongs to one map, where there are features and no embeddings', () => {
  const features = tensor(
    range(12).map((x) => x / 12),
    { shape: [6, 2] },
  );
  const { nodeCount, edgeTypeCount } = world;
  const model = modelFor(
    'Walker',
    { nodeCount, edgeTypeCount },
    { d, inputs: { features, embeddings: false } },
  );
  const shapes = [...parameters(model).values()].flatMap(({ shape }) => shape);
  expect(shapes.filter((extent) => extent === nodeCount && extent !== d)).toEqual([]);
  expect([...parameters(model).keys()]).not.toContain('u');
});
