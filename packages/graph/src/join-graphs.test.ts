import { segmentMax, segmentMean, segmentSum, tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGraph } from './graph.ts';
import type { GraphInput } from './graph.ts';
import { joinGraphs } from './join-graphs.ts';
import { edgeLists } from './random-graphs.cases.ts';

useReference({ precision: 'float64' });

const nothing: Required<GraphInput> = {
  nodeCount: 0,
  senders: [],
  receivers: [],
  edgeTypes: [],
  edgeTypeCount: 3,
};
const inputs = fc.array(fc.oneof({ weight: 5, arbitrary: edgeLists }, fc.constant(nothing)), {
  maxLength: 6,
});
const shifted = (values: ArrayLike<number>, by: number): number[] =>
  Array.from(values, (value) => value + by);

describe('joinGraphs', () => {
  it('is the graph of all edge lists, one after another, in the same orders', () => {
    fc.assert(
      fc.property(inputs, (lists) => {
        const { graph, graphOf, nodeOffsets, edgeOffsets } = joinGraphs(lists.map(createGraph), {
          edgeTypeCount: 3,
        });
        expect(graph).toEqual(
          createGraph({
            nodeCount: lists.reduce((total, { nodeCount }) => total + nodeCount, 0),
            senders: lists.flatMap(({ senders }, g) => shifted(senders, nodeOffsets[g])),
            receivers: lists.flatMap(({ receivers }, g) => shifted(receivers, nodeOffsets[g])),
            edgeTypes: lists.flatMap(({ edgeTypes }) => Array.from(edgeTypes)),
            edgeTypeCount: 3,
          }),
        );
        const nodesOf = lists.map(({ nodeCount }) => nodeCount);
        expect(Array.from(graphOf.toArray())).toEqual(
          nodesOf.flatMap((count, g) => new Array<number>(count).fill(g)),
        );
        expect(graphOf.rows).toBe(lists.length);
        expect(nodesOf.map((_, g) => nodeOffsets[g + 1] - nodeOffsets[g])).toEqual(nodesOf);
        expect(lists.map((_, g) => edgeOffsets[g + 1] - edgeOffsets[g])).toEqual(
          lists.map(({ senders }) => senders.length),
        );
      }),
    );
  });

  it('gives readouts per graph; those of a graph without nodes are 0', async () => {
    const single = createGraph({ nodeCount: 1, senders: [], receivers: [] });
    const empty = createGraph({ nodeCount: 0, senders: [], receivers: [] });
    const pair = createGraph({ nodeCount: 2, senders: [0], receivers: [1] });
    const { graphOf } = joinGraphs([single, empty, pair]);
    const h = tensor([-5, 2, 4]);
    const readouts = [segmentSum(h, graphOf), segmentMean(h, graphOf), segmentMax(h, graphOf)];
    const values = await Promise.all(readouts.map(async (x) => Array.from(await x.data())));
    expect(values).toEqual([
      [-5, 0, 6],
      [-5, 0, 3],
      [-5, 0, 4],
    ]);
  });

  it('takes graphs of different edge types if told how many there are, and refuses them otherwise', () => {
    const [two, three] = [2, 3].map((edgeTypeCount) =>
      createGraph({ nodeCount: 1, senders: [0], receivers: [0], edgeTypeCount }),
    );
    expect(joinGraphs([two, three], { edgeTypeCount: 4 }).graph.edgeTypeCount).toBe(4);
    expect(() => joinGraphs([two, three])).toThrow(
      'joinGraphs: expected graphs with the same edgeTypeCount, got 2 of graphs[0] and 3 of graphs[1] (give edgeTypeCount)',
    );
    expect(() => joinGraphs([two, three], { edgeTypeCount: 2 })).toThrow(
      'joinGraphs: expected edgeTypeCount of at least 3, as graphs[1] has, got 2',
    );
    expect(() => joinGraphs([two], { types: 2 } as object)).toThrow(
      "joinGraphs: expected options among edgeTypeCount, got 'types'",
    );
  });
});
