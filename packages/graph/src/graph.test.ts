import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGraph } from './graph.ts';
import type { GraphInput } from './graph.ts';
import { edgeLists } from './random-graphs.cases.ts';

const triangle = { nodeCount: 3, senders: [2, 0, 1], receivers: [0, 1, 2], edgeTypes: [1, 0, 1] };

describe('createGraph', () => {
  it('keeps the edges in the order in which they were given', () => {
    const graph = createGraph(triangle);
    expect(graph).toMatchObject({ nodeCount: 3, edgeCount: 3, edgeTypeCount: 2 });
    expect([...graph.senders]).toEqual([2, 0, 1]);
    expect([...graph.receivers]).toEqual([0, 1, 2]);
    expect([...graph.edgeTypes]).toEqual([1, 0, 1]);
  });

  it('copies its input, so that a later change of it does not reach the graph', () => {
    const senders = Int32Array.of(0);
    const graph = createGraph({ nodeCount: 2, senders, receivers: [1] });
    senders[0] = 1;
    expect(graph.senders[0]).toBe(0);
  });

  it('sorts edges by sender and by receiver, stably, with permutations that are inverse to each other', () => {
    fc.assert(
      fc.property(edgeLists, (input) => {
        const graph = createGraph(input);
        for (const [order, ends] of [
          [graph.bySender, graph.senders],
          [graph.byReceiver, graph.receivers],
        ] as const) {
          const edges = Array.from(ends, (_, edge) => edge);
          const expected = edges.sort((a, b) => ends[a] - ends[b] || a - b);
          expect([...order.permutation]).toEqual(expected);
          order.permutation.forEach((edge, position) => expect(order.inverse[edge]).toBe(position));
          for (let node = 0; node < graph.nodeCount; node++) {
            const run = order.permutation.subarray(order.offsets[node], order.offsets[node + 1]);
            expect([...run]).toEqual(expected.filter((edge) => ends[edge] === node));
          }
        }
      }),
    );
  });

  it('takes a graph without edges, and one without nodes', () => {
    expect([...createGraph({ nodeCount: 2, senders: [], receivers: [] }).bySender.offsets]).toEqual([
      0, 0, 0,
    ]);
    expect(createGraph({ nodeCount: 0, senders: [], receivers: [] })).toMatchObject({
      edgeCount: 0,
      nodeCount: 0,
    });
  });

  it('takes one node with a self-loop, and several types between the same nodes', () => {
    const graph = createGraph({ nodeCount: 1, senders: [0, 0], receivers: [0, 0], edgeTypes: [0, 1] });
    expect(graph.edgeCount).toBe(2);
  });

  it('gives every edge type 0 where no types are given', () => {
    const graph = createGraph({ nodeCount: 2, senders: [0], receivers: [1] });
    expect([...graph.edgeTypes]).toEqual([0]);
    expect(graph.edgeTypeCount).toBe(1);
  });

  const mistakes: [string, object, string][] = [
    [
      'a sender out of range',
      { senders: [2, 3, 1] },
      'expected senders[1] to be an integer in 0..2 (nodeCount 3), got 3',
    ],
    ['a negative receiver', { receivers: [0, -1, 2] }, 'expected receivers[1] to be an integer in 0..2'],
    ['a node that is no integer', { senders: [0.5, 0, 1] }, 'expected senders[0] to be an integer'],
    [
      'lists of different lengths',
      { receivers: [0, 1] },
      'expected receivers of length 3 (senders.length), got 2',
    ],
    ['too few edge types', { edgeTypes: [0] }, 'expected edgeTypes of length 3 (senders.length), got 1'],
    [
      'a type out of range',
      { edgeTypeCount: 1 },
      'expected edgeTypes[0] to be an integer in 0..0 (edgeTypeCount 1), got 1',
    ],
    [
      'a negative node count',
      { nodeCount: -1 },
      'expected nodeCount to be an integer in 0..2147483647, got -1',
    ],
    ['missing senders', { senders: undefined }, 'expected senders.length to be an integer'],
    [
      'an unknown option',
      { sender: [0] },
      "expected options among nodeCount, senders, receivers, edgeTypes, edgeTypeCount, got 'sender'",
    ],
    [
      'the same edge twice',
      { senders: [0, 1, 0], receivers: [1, 2, 1], edgeTypes: [1, 1, 1] },
      'expected each edge once, got 0 → 1 of type 1 as edges 0 and 2',
    ],
  ];
  it.each(mistakes)('names %s', (_, change, message) => {
    const input = { ...triangle, ...change } as GraphInput;
    expect(() => createGraph(input)).toThrow(`createGraph: ${message}`);
  });

  it('refuses edges when there is no edge type for them', () => {
    const input = { nodeCount: 2, senders: [0], receivers: [1], edgeTypeCount: 0 };
    expect(() => createGraph(input)).toThrow('expected edgeTypeCount of at least 1 for 1 edges, got 0');
  });
});
