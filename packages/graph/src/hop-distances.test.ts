import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';
import { createHopSearch, hopsFrom, hopsTo, UNREACHABLE } from './hop-distances.ts';
import { edgeLists } from './random-graphs.cases.ts';

/** Floyd and Warshall's algorithm: slow, and nothing like a breadth-first search. */
function allHops({ nodeCount, senders, receivers }: Graph): number[][] {
  const hops = Array.from({ length: nodeCount }, (_, i) =>
    Array.from({ length: nodeCount }, (_, j) => (i === j ? 0 : Infinity)),
  );
  senders.forEach((sender, edge) => {
    if (sender !== receivers[edge]) hops[sender][receivers[edge]] = 1;
  });
  for (let via = 0; via < nodeCount; via++) {
    for (let i = 0; i < nodeCount; i++) {
      for (let j = 0; j < nodeCount; j++) hops[i][j] = Math.min(hops[i][j], hops[i][via] + hops[via][j]);
    }
  }
  return hops.map((row) => row.map((value) => (value === Infinity ? UNREACHABLE : value)));
}

/** 0 → 1 → 2 → 3, and 4 alone. */
const path = createGraph({ nodeCount: 5, senders: [0, 1, 2], receivers: [1, 2, 3] });

describe('hop distances', () => {
  it('agree with all shortest paths, from and to every node, whatever the buffer held before', () => {
    fc.assert(
      fc.property(edgeLists, (input) => {
        const graph = createGraph(input);
        const expected = allHops(graph);
        const search = createHopSearch(graph);
        const out = new Int32Array(graph.nodeCount).fill(7);
        for (let node = 0; node < graph.nodeCount; node++) {
          expect([...search.from(node, { out })]).toEqual(expected[node]);
          expect([...search.to(node, { out })]).toEqual(expected.map((row) => row[node]));
        }
      }),
    );
  });

  it('follow edges forwards from a node and backwards to a node', () => {
    expect([...hopsFrom(path, 1)]).toEqual([UNREACHABLE, 0, 1, 2, UNREACHABLE]);
    expect([...hopsTo(path, 1)]).toEqual([1, 0, UNREACHABLE, UNREACHABLE, UNREACHABLE]);
  });

  it('stop at maxHops', () => {
    expect([...hopsFrom(path, 0, { maxHops: 2 })]).toEqual([0, 1, 2, UNREACHABLE, UNREACHABLE]);
    expect([...hopsFrom(path, 0, { maxHops: 0 })].filter((hops) => hops === 0)).toHaveLength(1);
  });

  it('compare greater than any number of steps where there is no path', () => {
    expect(hopsFrom(path, 0)[4] <= 1_000_000).toBe(false);
  });

  it('find only the node itself in a graph of one node', () => {
    const graph = createGraph({ nodeCount: 1, senders: [0], receivers: [0] });
    expect([...hopsFrom(graph, 0)]).toEqual([0]);
  });

  it('name a node that is not there, and a buffer of the wrong length', () => {
    expect(() => hopsFrom(path, 5)).toThrow('hops from: expected node in 0..4 (nodeCount 5), got node 5');
    expect(() => hopsTo(path, -1)).toThrow('hops to: expected node in 0..4');
    expect(() => hopsFrom(path, 0, { out: new Int32Array(4) })).toThrow(
      'expected out of length 5 (nodeCount), got 4',
    );
    const empty = createGraph({ nodeCount: 0, senders: [], receivers: [] });
    expect(() => hopsFrom(empty, 0)).toThrow('expected a graph with nodes, got node 0');
  });
});
