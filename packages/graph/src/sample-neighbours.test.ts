import { randomKey } from '@flowgrad/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inDegrees } from './degrees.ts';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';
import { edgeLists } from './random-graphs.cases.ts';
import { sampleNeighbours } from './sample-neighbours.ts';
import type { SampleOptions } from './sample-neighbours.ts';

const key = randomKey(9);

/** `layers` times: every node adds what comes along its incoming edges to its own state, edges by their type. */
function states(graph: Graph, start: ArrayLike<number>, layers: number): number[] {
  let h = Array.from(start);
  for (let layer = 0; layer < layers; layer++) {
    const next = [...h];
    for (let e = 0; e < graph.edgeCount; e++) {
      next[graph.receivers[e]] += (graph.edgeTypes[e] + 2) * h[graph.senders[e]];
    }
    h = next;
  }
  return h;
}

/** A star: nodes 1 … n send to node 0. */
const star = (n: number): Graph =>
  createGraph({
    nodeCount: n + 1,
    senders: Array.from({ length: n }, (_, i) => i + 1),
    receivers: new Int32Array(n),
  });

const graphsAndSeeds = edgeLists.chain((input) => {
  const seeds = fc.uniqueArray(fc.nat(input.nodeCount - 1), { maxLength: input.nodeCount });
  return fc.tuple(fc.constant(input), seeds, fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }));
});

describe('sampleNeighbours', () => {
  it('gives seeds the states of the whole graph when all edges are taken', () => {
    fc.assert(
      fc.property(graphsAndSeeds, ([input, seeds, hops]) => {
        const graph = createGraph(input);
        const sample = sampleNeighbours(graph, { seeds, fanouts: hops.map(() => Infinity), key });
        const start = Array.from({ length: graph.nodeCount }, (_, node) => node + 1);
        const whole = states(graph, start, hops.length);
        const part = states(
          sample.graph,
          sample.nodes.map((node) => start[node]),
          hops.length,
        );
        expect(part.slice(0, seeds.length)).toEqual(seeds.map((seed) => whole[seed]));
      }),
    );
  });

  it('is a part of the graph: seeds first, edges that are there, each node with as many as its hop allows', () => {
    fc.assert(
      fc.property(graphsAndSeeds, ([input, seeds, fanouts]) => {
        const graph = createGraph(input);
        const { graph: part, nodes, edges } = sampleNeighbours(graph, { seeds, fanouts, key });
        expect([...nodes.subarray(0, seeds.length)]).toEqual(seeds);
        expect(new Set(nodes).size).toBe(nodes.length);
        expect(part.edgeTypeCount).toBe(graph.edgeTypeCount);
        for (let e = 0; e < part.edgeCount; e++) {
          expect(nodes[part.senders[e]]).toBe(graph.senders[edges[e]]);
          expect(nodes[part.receivers[e]]).toBe(graph.receivers[edges[e]]);
          expect(part.edgeTypes[e]).toBe(graph.edgeTypes[edges[e]]);
        }
        // Hops from the seeds along edges of the sample, backwards.
        const hop = Array.from(nodes, (_, i) => (i < seeds.length ? 0 : Infinity));
        for (let round = 0; round < fanouts.length; round++) {
          for (let e = 0; e < part.edgeCount; e++) {
            hop[part.senders[e]] = Math.min(hop[part.senders[e]], hop[part.receivers[e]] + 1);
          }
        }
        const [all, taken] = [inDegrees(graph), inDegrees(part)];
        for (const [i, node] of nodes.entries()) {
          expect(hop[i]).toBeLessThanOrEqual(fanouts.length);
          expect(taken[i]).toBe(Math.min(all[node], fanouts[hop[i]] ?? 0));
        }
      }),
    );
  });

  it('draws alike by the same key, and otherwise by another', () => {
    const drawn = (from: SampleOptions['key']): string =>
      String(sampleNeighbours(star(40), { seeds: [0], fanouts: [10], key: from }).edges);
    expect(drawn(key)).toBe(drawn(randomKey(9)));
    expect(drawn(key)).not.toBe(drawn(key.child(1)));
  });

  it('takes every edge about equally often, and every pair of them', () => {
    const graph = star(4);
    const pairs = new Map<string, number>();
    for (let i = 0; i < 3000; i++) {
      const drawn = String(sampleNeighbours(graph, { seeds: [0], fanouts: [2], key: key.child(i) }).edges);
      pairs.set(drawn, (pairs.get(drawn) ?? 0) + 1);
    }
    expect([...pairs.keys()].sort()).toEqual(['0,1', '0,2', '0,3', '1,2', '1,3', '2,3']);
    // 5 degrees of freedom: above 25.7 once in ten thousand.
    const chiSquare = [...pairs.values()].reduce((total, n) => total + (n - 500) ** 2 / 500, 0);
    expect(chiSquare).toBeLessThan(25.7);
  });

  it('gives the seeds alone for no hops, and nothing for no seeds', () => {
    const alone = sampleNeighbours(star(3), { seeds: [2, 0], fanouts: [], key });
    expect([[...alone.nodes], alone.graph.edgeCount]).toEqual([[2, 0], 0]);
    const empty = createGraph({ nodeCount: 0, senders: [], receivers: [] });
    expect(sampleNeighbours(empty, { seeds: [], fanouts: [3], key }).graph.nodeCount).toBe(0);
  });

  it.each<[object, string]>([
    [{ seeds: [4] }, 'expected seed in 0..3 (nodeCount 4), got seed 4'],
    [{ seeds: [1, 2, 1] }, 'expected each seed once, got node 1 as seeds 0 and 2'],
    [{ fanouts: [2, 0] }, 'expected fanouts[1] to be a whole number ≥ 1 or Infinity, got 0'],
    [{ key: 3 }, 'expected key to be a RandomKey, got number (make it with randomKey)'],
    [{ replace: true }, "expected options among seeds, fanouts, key, got 'replace'"],
  ])('refuses %o', (options, message) => {
    const all = { seeds: [0], fanouts: [1], key, ...options } as SampleOptions;
    expect(() => sampleNeighbours(star(3), all)).toThrow(`sampleNeighbours: ${message}`);
  });
});
