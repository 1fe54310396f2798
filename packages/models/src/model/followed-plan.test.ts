import { createConePlanner, createDensePlanner, createGraph, withSelfLoops } from '@flowgrad/graph';
import type { Keep } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { assign, scope, zerosLike } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectAlike, lossAndGradients } from '../testing/loss-and-gradients.ts';
import { plainForward, readParameters } from '../testing/plain-equations.ts';
import { randomWorlds } from '../testing/random-worlds.ts';
import { relativeError } from '../testing/relative-error.ts';
import { modelFor, sizes, smallWorld } from '../testing/small-world.ts';

useReference({ precision: 'float64' });

/** One of each kind of plan: states of the background, of a global state, and such that attention acts on. */
const names = [
  'RW-Stationary',
  'RW-Dynamic',
  'GGNN-NoAct',
  'GAT-NoAct',
  'GGNN-Mul',
  'GGNN-MulMlp',
  'GAT-MulMlp',
  'FullGN-MulMlp',
] as const;
const keeps = fc.record({ nodes: fc.integer({ min: 1, max: 3 }), edges: fc.integer({ min: 1, max: 3 }) });
const everything = { nodes: 1000, edges: 1000 };

describe.each(names)('a plan that follows the attention of %s', (name) => {
  it('carries on what its equations carry on, in scalar loops, and says what it lost', async () => {
    const agrees = fc.asyncProperty(randomWorlds, keeps, ({ graph: bare, steps, sources }, keep) =>
      scope(async () => {
        // Without a way out of every node attention would be lost in other ways, too.
        const graph = withSelfLoops(bare);
        const model = modelFor(name, graph);
        const data = new Map(
          await Promise.all(
            [...parameters(model)].map(
              async ([of, p]) => [of, { shape: p.shape, data: await p.data() }] as const,
            ),
          ),
        );
        const planner = createConePlanner(graph, { steps, kind: model.kind });
        const plan = await planner.follow({ sources }, model, keep);
        const { attention } = model.forward(plan);
        const plain = sources.map((source) =>
          plainForward({ model: name, graph, parameters: data, steps, ...sizes, keep }, source),
        );
        for (const [t, a] of attention!.entries()) {
          const expected = plain.flatMap((example) => example.attention[t]);
          expect(relativeError(await a.data(), expected)).toBeLessThan(1e-9);
        }
        plain.forEach((example, i) => {
          const left = example.attention.at(-1)!.reduce((sum, a) => sum + a, 0);
          expect(plan.cut.lost[i]).toBeCloseTo(1 - left, 6);
        });
        planner.dispose();
      }),
    );
    await fc.assert(agrees, { numRuns: 25, seed: 1 });
  });

  it('gives the bits of the exact plan where nothing is cut', async () => {
    const agrees = fc.asyncProperty(randomWorlds, ({ graph, steps, sources, destinations }) =>
      scope(async () => {
        const model = modelFor(name, graph);
        const planner = createConePlanner(graph, { steps, kind: model.kind });
        const batch = { sources, destinations, lossOnly: true };
        const plan = await planner.follow(batch, model, everything);
        expect(plan.cut.nodes.cut + plan.cut.edges.cut).toBe(0);
        expect(await lossAndGradients(model, plan)).toEqual(
          await lossAndGradients(model, planner.plan(batch)),
        );
        planner.dispose();
      }),
    );
    await fc.assert(agrees, { numRuns: 15, seed: 1 });
  });

  it('has the same loss and gradients whether or not more than the loss is asked for', async () => {
    const agrees = fc.asyncProperty(randomWorlds, keeps, ({ graph, steps, sources, destinations }, keep) =>
      scope(async () => {
        const model = modelFor(name, graph);
        const planner = createConePlanner(graph, { steps, kind: model.kind });
        const [narrow, whole] = await Promise.all(
          [true, false].map((lossOnly) => planner.follow({ sources, destinations, lossOnly }, model, keep)),
        );
        expectAlike(await lossAndGradients(model, narrow), await lossAndGradients(model, whole), {
          tolerance: 1e-10,
          floor: 1e-3,
        });
        expect(narrow.cut).toEqual(whole.cut);
        planner.dispose();
      }),
    );
    await fc.assert(agrees, { numRuns: 15, seed: 1 });
  });
});

/** Those that ask and have cones: with `-NoAct` each example has transitions of its own over states that all share. */
const asking = names.filter((name) => !name.endsWith('-NoAct'));

describe.each(asking)('a plan that follows the attention of %s that is asked', (name) => {
  const queryCount = 3;
  it('carries on what its equations carry on, in scalar loops, and walks along nothing hidden', async () => {
    const agrees = fc.asyncProperty(randomWorlds, keeps, ({ graph: bare, steps, sources }, keep) =>
      scope(async () => {
        const graph = withSelfLoops(bare);
        const model = modelFor(name, graph, { queryCount });
        const known = await readParameters(model);
        const planner = createConePlanner(graph, { steps, kind: model.kind });
        const queries = sources.map((source, i) => (source + i) % queryCount);
        const hidden = sources.map((_, i) => (i === 0 ? [0] : []));
        const plan = await planner.follow({ sources, queries, hidden }, model, keep);
        const { attention } = model.forward(plan);
        const plain = sources.map((source, i) => {
          const asked = { query: queries[i], hidden: hidden[i] };
          const parameters = known;
          return plainForward({ model: name, graph, parameters, steps, ...sizes, keep, asked }, source);
        });
        for (const [t, a] of attention!.entries()) {
          const expected = plain.flatMap((example) => example.attention[t]);
          expect(relativeError(await a.data(), expected)).toBeLessThan(1e-9);
        }
        planner.dispose();
      }),
    );
    await fc.assert(agrees, { numRuns: 15, seed: 1 });
  });
});

/** From each node to the next two. */
const ring = createGraph({
  nodeCount: 8,
  senders: Array.from({ length: 16 }, (_, e) => e >> 1),
  receivers: Array.from({ length: 16 }, (_, e) => ((e >> 1) + 1 + (e % 2)) % 8),
});

it.each(names)('a plan follows the attention of %s where it does not stay at nodes', async (name) => {
  const [model, keep] = [modelFor(name, ring), { nodes: 3, edges: 2 }];
  const known = await readParameters(model);
  const planner = createConePlanner(ring, { steps: 5, kind: model.kind });
  // After three steps four nodes have attention, and the source and its neighbours, which had, have none.
  const plan = await planner.follow({ sources: [0, 5] }, model, keep);
  expect(plan.cut.nodes.cut).toBeGreaterThan(0);
  const { attention } = model.forward(plan);
  const plain = [0, 5].map((source) =>
    plainForward({ model: name, graph: ring, parameters: known, steps: 5, ...sizes, keep }, source),
  );
  for (const [t, a] of attention!.entries()) {
    const expected = plain.flatMap((example) => example.attention[t]);
    expect(relativeError(await a.data(), expected)).toBeLessThan(1e-9);
  }
  planner.dispose();
});

describe('a plan that follows attention', () => {
  const graph = smallWorld;
  const chain = createGraph({ nodeCount: 6, senders: [0, 1, 2, 3, 4], receivers: [1, 2, 3, 4, 5] });
  const follower = (name: 'GGNN-MulMlp' | 'GGNN' | 'FullGN-NoAct') => {
    const model = modelFor(name, graph);
    const planner = createConePlanner(graph, { steps: 3, kind: model.kind });
    return (keep: { nodes: number; edges: number }) => planner.follow({ sources: [0] }, model, keep);
  };

  it('counts what there was, and what was cut', async () => {
    const { cut } = await follower('GGNN-MulMlp')({ nodes: 1, edges: 2 });
    // One node at each step. Node 0 has three edges: one is cut.
    expect(cut.nodes.all - cut.nodes.cut).toBe(3);
    expect(cut.edges.all).toBeGreaterThan(cut.edges.cut);
    expect(cut.edges.cut).toBeGreaterThan(0);
    expect(cut.lost[0]).toBeGreaterThan(0);
    expect(cut.lost[0]).toBeLessThan(1);
  });

  it('runs ahead only where something is to be cut', async () => {
    const model = modelFor('GGNN-MulMlp', withSelfLoops(chain));
    const passesOf = async (keep: { nodes: number; edges: number }, steps = 4): Promise<number> => {
      const planner = createConePlanner(withSelfLoops(chain), { steps, kind: model.kind });
      const { cut } = await planner.follow({ sources: [0] }, model, keep);
      planner.dispose();
      return cut.passes;
    };
    // After t steps, 1 + t nodes have attention, and each has two edges.
    expect(await passesOf({ nodes: 5, edges: 2 })).toBe(0);
    expect(await passesOf({ nodes: 3, edges: 2 })).toBe(1);
    expect(await passesOf({ nodes: 2, edges: 2 })).toBe(2);
    expect(await passesOf({ nodes: 2, edges: 2 }, 2)).toBe(0);
    expect(await passesOf({ nodes: 5, edges: 1 })).toBe(4);
  });

  it('runs ahead once for the edges of a step and the nodes after it', async () => {
    const model = modelFor('GGNN-MulMlp', withSelfLoops(ring));
    const planner = createConePlanner(withSelfLoops(ring), { steps: 4, kind: model.kind });
    const { cut } = await planner.follow({ sources: [0] }, model, { nodes: 1, edges: 2 });
    expect(cut).toMatchObject({ passes: 4, nodes: { all: 7, cut: 3 }, edges: { all: 12, cut: 4 } });
    planner.dispose();
  });

  it('takes the node and the edge that come first where several are alike', async () => {
    const model = modelFor('RW-Stationary', graph);
    for (const p of parameters(model).values()) assign(p, zerosLike(p));
    const planner = createConePlanner(graph, { steps: 1, kind: model.kind });
    const plan = await planner.follow({ sources: [0] }, model, { nodes: 1, edges: 2 });
    // The edges 0→1 of type 0 and of type 1 come before the self-loop.
    expect(await model.forward(plan).scores.toArray()).toEqual([[0, 2 / 3, 0, 0, 0, 0, 0, 0]]);
    // Of the nodes that the edges 0→3, 0→1 and 0→2 lead to, in this order, 1 comes first. Its only edge leads to 4.
    const fork = createGraph({ nodeCount: 5, senders: [0, 0, 0, 1, 2, 3], receivers: [3, 1, 2, 4, 4, 0] });
    const plain = modelFor('RW-Stationary', fork);
    for (const p of parameters(plain).values()) assign(p, zerosLike(p));
    const along = createConePlanner(fork, { steps: 2, kind: plain.kind });
    const first = await along.follow({ sources: [0] }, plain, { nodes: 1, edges: 3 });
    const [scores] = (await plain.forward(first).scores.toArray()) as number[][];
    expect(scores.map((score) => score > 0)).toEqual([false, false, false, false, true]);
    expect(first.cut.lost[0]).toBeCloseTo(2 / 3, 6);
    along.dispose();
  });

  it('refuses models without a flow, planners of everything, and to keep nothing', async () => {
    await expect(follower('GGNN')({ nodes: 1, edges: 1 })).rejects.toThrow(
      'follow: expected a model whose attention flows, got one that marks the source',
    );
    await expect(follower('FullGN-NoAct')({ nodes: 1, edges: 1 })).rejects.toThrow('follow: expected');
    await expect(follower('GGNN-MulMlp')({ nodes: 0, edges: 1 })).rejects.toThrow(
      'follow: expected keep.nodes to be a whole number ≥ 1, got 0',
    );
    await expect(follower('GGNN-MulMlp')({ nodes: 2 } as Keep)).rejects.toThrow(
      'follow: expected keep.edges to be a whole number ≥ 1, got undefined',
    );
    const model = modelFor('GGNN-MulMlp', graph);
    const dense = createDensePlanner(graph, { steps: 2, kind: model.kind });
    await expect(dense.follow({ sources: [0] }, model, everything)).rejects.toThrow('got a dense one');
  });
});
