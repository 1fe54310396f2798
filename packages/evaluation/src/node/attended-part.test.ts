import type { Dataset, Examples } from '@flowgrad/data';
import { createGraph, withSelfLoops } from '@flowgrad/graph';
import { describe, expect, it } from 'vitest';
import { mostEdges, mostNodes } from '../run/attended-part.ts';
import { checkAttention } from '../run/check-record.ts';
import type { Prediction } from '../training/predict.ts';
import { attendedPart } from './attended-part.ts';
import { shownExamples } from './shown-examples.ts';

const none: Examples = { count: 0, sources: new Int32Array(), destinations: new Int32Array() };

/** a → b → d and a → c → d, and e that nothing leads to. */
const diamond = createGraph({
  nodeCount: 5,
  senders: [0, 0, 1, 2],
  receivers: [1, 2, 3, 3],
  edgeTypes: [0, 1, 0, 1],
});
const graph = withSelfLoops(diamond);
const dataset: Dataset = {
  name: 'diamond',
  graph: diamond,
  steps: 2,
  examples: { train: none, valid: none, test: none },
  nodeNames: ['a', 'b', 'c', 'd', 'e'],
  edgeTypeNames: ['left', 'right'],
  queryNames: ['where'],
};

/** Of edges by their ends: `{'01': 0.7}`. */
const flows = (shares: Record<string, number>): Float32Array =>
  Float32Array.from(graph.senders, (from, edge) => shares[`${from}${graph.receivers[edge]}`] ?? 0);

/** 0.7 goes by b and 0.3 by c; of what is at b, a third stays there. */
const prediction: Prediction = {
  source: 0,
  query: 0,
  scores: Float32Array.of(0, 0.21, 0, 0.79, 0),
  attention: {
    focused: [
      Float32Array.of(1, 0, 0, 0, 0),
      Float32Array.of(0, 0.7, 0.3, 0, 0),
      Float32Array.of(0, 0.21, 0, 0.79, 0),
    ],
    flowing: [flows({ '01': 0.7, '02': 0.3 }), flows({ '11': 0.21, '13': 0.49, '23': 0.3 })],
  },
};

describe('the attended part', () => {
  it('has the source, the answer and what is attended, by name, with the most at any step', () => {
    const part = attendedPart(dataset, graph, prediction, { destination: 3 })!;
    expect(part.nodes.map(({ name, attention }) => [name, attention])).toEqual([
      ['a', 1],
      ['d', 0.79],
      ['b', 0.7],
      ['c', 0.3],
    ]);
    expect(part).toMatchObject({ query: 'where', destination: 1, rank: { raw: 1, filtered: 1 }, leftOut: 0 });
    expect(part.answers[0]).toEqual(['d', 0.79]);
    const named = part.edges.map(
      ({ from, to, type, flow }) => `${part.nodes[from].name}${part.nodes[to].name} ${type} ${flow}`,
    );
    expect(named.sort()).toEqual(['ab left 0.7', 'ac right 0.3', 'bd left 0.49', 'cd right 0.3']);
  });

  it('has the likeliest way to the answer: 0.7 · 0.49 / 0.7, and not 0.3 by the other side', () => {
    const { way, nodes } = attendedPart(dataset, graph, prediction, { destination: 3 })!;
    expect(way!.nodes.map((place) => nodes[place].name)).toEqual(['a', 'b', 'd']);
    expect(way).toMatchObject({ types: ['left', 'left'], share: 0.49 });
  });

  it('leaves staying out of a way, and has none to where nothing comes', () => {
    const toB = attendedPart(dataset, graph, prediction, { destination: 1 })!;
    expect([toB.way!.types, toB.way!.share]).toEqual([['left'], 0.21]);
    const toE = attendedPart(dataset, graph, prediction, { destination: 4 })!;
    expect(toE.way).toBeUndefined();
    // Even so the answer is shown: it ties with a and c for the last three places.
    expect([toE.nodes[toE.destination!].name, toE.rank!.raw]).toEqual(['e', 4]);
  });

  it('leaves out of the filtered rank what else is true', () => {
    const test = {
      count: 1,
      sources: Int32Array.of(0),
      destinations: Int32Array.of(3),
      queries: Int32Array.of(0),
    };
    const known = { ...dataset, examples: { ...dataset.examples, test } };
    expect(attendedPart(known, graph, prediction, { destination: 1 })!.rank).toEqual({ raw: 2, filtered: 1 });
  });

  it('has the same nodes at the same places at every step', () => {
    const placesAt = (step?: number): unknown =>
      attendedPart(dataset, graph, prediction, { step })!.nodes.map(({ name, x, y }) => [name, x, y]);
    expect(placesAt(0)).toEqual(placesAt());
    const { nodes, edges } = attendedPart(dataset, graph, prediction, { step: 1 })!;
    expect(nodes.map(({ attention }) => attention)).toEqual([0, 0, 0.7, 0.3]);
    expect(edges.filter(({ flow }) => flow > 0)).toHaveLength(2);
  });

  it('lies as the dataset says, undistorted, where it says', () => {
    const positions = { x: [10, 10, 40, 40, 0], y: [5, 15, 5, 15, 0] };
    const { nodes } = attendedPart({ ...dataset, positions }, graph, prediction, { destination: 3 })!;
    // 30 wide and 10 high in a picture that is 1.5 wide: as wide as it, and half as high.
    expect(nodes.map(({ name, x, y }) => [name, x, y])).toEqual([
      ['a', 0, 0.25],
      ['d', 1, 0.75],
      ['b', 0, 0.75],
      ['c', 1, 0.25],
    ]);
  });

  it('keeps to what a person can read, and to the schema, with long names and a graph that is full', () => {
    const count = 60;
    const ends = Array.from({ length: count }, (_, i) => i);
    const full = createGraph({
      nodeCount: count,
      senders: ends.flatMap((i) => ends.map(() => i)),
      receivers: ends.flatMap(() => ends),
    });
    const even = new Float32Array(count).fill(1 / count);
    const part = attendedPart(
      { ...dataset, graph: full, nodeNames: ends.map((i) => `${i} ${'𝄞'.repeat(80)}`) },
      full,
      {
        source: 0,
        scores: even,
        attention: { focused: [even, even], flowing: [new Float32Array(count * count).fill(1 / count)] },
      },
      { destination: 59 },
    )!;
    expect([part.nodes.length, part.edges.length, part.leftOut]).toEqual([
      mostNodes,
      mostEdges,
      60 - mostNodes,
    ]);
    expect(part.nodes[part.destination!].name).toMatch(/^59 𝄞+…$/u);
    const record = { trajectory: [0, 59], top: [], source: 0, epoch: 1, attended: [part] };
    expect(() => checkAttention(record, count)).not.toThrow();
    const nowhere = { ...part, edges: [{ from: 0, to: mostNodes, type: '', flow: 1 }] };
    expect(() => checkAttention({ ...record, attended: [nowhere] }, count)).toThrow(
      'expected attended to be',
    );
    const short = { ...part, nodes: part.nodes.slice(0, 1) };
    expect(() => checkAttention({ ...record, attended: [short] }, count)).toThrow('expected attended to be');
    // As it was before there were pictures of graphs.
    const { attended: _, ...old } = record;
    expect(() => checkAttention(old, count)).not.toThrow();
  });

  it('is none without flow', () => {
    expect(attendedPart(dataset, graph, { source: 0, scores: prediction.scores })).toBeUndefined();
  });
});

describe('the examples that are shown', () => {
  const examples = (sources: number[], more: Partial<Examples> = {}): Examples => ({
    count: sources.length,
    sources: Int32Array.from(sources),
    destinations: new Int32Array(sources.length),
    ...more,
  });

  it('begin with the longest walk and go on with other sources', () => {
    const path = (i: number): Int32Array => new Int32Array([2, 4, 3, 4, 1][i]);
    expect(shownExamples(examples([7, 8, 7, 9, 6], { path }))).toEqual([1, 0, 3]);
  });

  it('ask different things', () => {
    expect(shownExamples(examples([1, 2, 3, 4, 5], { queries: Int32Array.of(0, 0, 2, 1, 3) }))).toEqual([
      0, 2, 3,
    ]);
    expect(shownExamples(examples([1, 2], { queries: Int32Array.of(0, 0) }))).toEqual([0]);
  });
});
