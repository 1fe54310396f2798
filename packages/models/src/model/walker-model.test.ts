import { createConePlanner, createDensePlanner, createGraph, withSelfLoops } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor } from '../testing/small-world.ts';
import type { Model } from './model.ts';

useReference({ precision: 'float64' });

/** Not every node has an edge of every type; nothing but its self-loop leaves node 4, and nothing else leads to node 5. */
const world = withSelfLoops(
  createGraph({
    nodeCount: 6,
    senders: [0, 0, 1, 1, 2, 3, 3, 5],
    receivers: [1, 2, 2, 3, 0, 4, 1, 0],
    edgeTypes: [0, 2, 1, 0, 2, 1, 0, 2],
    edgeTypeCount: 3,
  }),
);
const [steps, d, types] = [4, 6, 3];
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const softmaxOf = (logits: readonly number[]): number[] =>
  logits.map((z) => Math.exp(z) / total(logits.map(Math.exp)));

interface Remembering {
  readonly memory: number;
  readonly clock: number;
}

/** The equations in scalar loops, for one source: attention and what has stopped of it, at t = 0 … T. */
async function plainWalk(model: Model, graph: Graph, source: number, { memory, clock }: Remembering) {
  const data = new Map<string, ArrayLike<number>>();
  for (const [name, each] of parameters(model)) data.set(name, await each.data());
  const affine = (x: readonly number[], layer: string, out: number): number[] =>
    range(out).map(
      (o) =>
        total(x.map((value, i) => value * data.get(`${layer}.w`)![i * out + o])) + data.get(`${layer}.b`)![o],
    );
  const { nodeCount, senders, receivers, edgeTypes } = graph;
  const nodes = range(nodeCount);
  const edges = range(graph.edgeCount).filter((e) => edgeTypes[e] < types);
  const u = nodes.map((i) => range(d).map((c) => data.get('u')![i * d + c]));
  const sights = u.map((each) => (memory > 0 ? affine(each, 'see', memory) : []));
  let seen = sights;
  let moving = nodes.map((i) => Number(i === source));
  let stopped = nodes.map(() => 0);
  const attention = [moving];
  const resting = [stopped];
  for (const t of range(steps)) {
    const angles = range(clock).map((k) => (Math.PI * (k + 1) * t) / steps);
    const waves = angles.flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
    const time = clock > 0 ? affine(waves, 'clock', d) : range(d).map(() => 0);
    const next = nodes.map(() => 0);
    const nextStopped = [...stopped];
    const remembered = nodes.map(() => range(memory).map(() => 0));
    for (const i of nodes) {
      const recalled = memory > 0 ? affine(seen[i], 'recall', d) : range(d).map(() => 0);
      const h = u[i].map((value, c) => Math.tanh(value + time[c] + recalled[c]));
      const D = softmaxOf(affine(h, 'move', types));
      // Edges of one type share nothing: each has the logit of its type.
      const leaving = edges.filter((e) => senders[e] === i);
      const isMissing = (k: number): boolean => !leaving.some((e) => edgeTypes[e] === k);
      const all = total(leaving.map((e) => D[edgeTypes[e]])) + total(D.filter((_, k) => isMissing(k)));
      for (const e of leaving) {
        const flow = (moving[i] * D[edgeTypes[e]]) / all;
        const j = receivers[e];
        next[j] += flow;
        seen[i].forEach((value, m) => (remembered[j][m] += flow * Math.max(value, sights[j][m])));
      }
      nextStopped[i] += (moving[i] * total(D.filter((_, k) => isMissing(k)))) / all;
    }
    seen = remembered.map((each, j) => each.map((value) => value / (next[j] + 1e-12)));
    [moving, stopped] = [next, nextStopped];
    attention.push(moving.map((each, i) => each + stopped[i]));
    resting.push(stopped);
  }
  return { attention, resting };
}

describe.each([
  { memory: 0, clock: 4 },
  { memory: 3, clock: 4 },
  { memory: 3, clock: 0 },
  { memory: 0, clock: 0 },
])('a walker that remembers $memory channels and has a clock of $clock waves', (options) => {
  let model: Model;
  beforeAll(() => {
    model = modelFor('Walker', world, { d, ...options });
  });
  const sources = [0, 3, 4, 5];

  it.each([createDensePlanner, createConePlanner])('is what its equations say, by $name', async (create) => {
    const planner = create(world, { steps, kind: model.kind });
    const { attention, stopped } = model.forward(planner.plan({ sources }));
    const plain = await Promise.all(sources.map((source) => plainWalk(model, world, source, options)));
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

it('tells what there is to see at each node, by how far it moves a state; nothing, if it remembers nothing', async () => {
  const model = modelFor('Walker', world, { d, memory: 3 });
  const of = async (name: string): Promise<ArrayLike<number>> => parameters(model).get(name)!.data();
  const [u, see, bias, recall] = await Promise.all(['u', 'see.w', 'see.b', 'recall.w'].map(of));
  const expected = range(6).flatMap((i) =>
    range(3).map((m) => {
      const sight = total(range(d).map((c) => u[i * d + c] * see[c * 3 + m])) + bias[m];
      return sight * Math.hypot(...range(d).map((c) => recall[m * d + c]));
    }),
  );
  expect(relativeError(await model.sights!().data(), expected)).toBeLessThan(1e-12);
  expect(modelFor('Walker', world, { d, memory: 0 }).sights).toBeUndefined();
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
