import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { degreeWeights, inDegrees, outDegrees } from './degrees.ts';
import type { DegreeWeightsOptions } from './degrees.ts';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';
import { edgeLists } from './random-graphs.cases.ts';

const count = (ends: Int32Array, node: number): number => ends.filter((end) => end === node).length;
const total = (weights: number[], ends: Int32Array, node: number): number =>
  weights.reduce((sum, weight, edge) => sum + (ends[edge] === node ? weight : 0), 0);
const empty = createGraph({ nodeCount: 0, senders: [], receivers: [] });

describe('inDegrees and outDegrees', () => {
  it('count the edges of every node, as plain loops do', () => {
    fc.assert(
      fc.property(edgeLists, (input) => {
        const graph = createGraph(input);
        const nodes = Array.from({ length: graph.nodeCount }, (_, node) => node);
        expect([...inDegrees(graph)]).toEqual(nodes.map((node) => count(graph.receivers, node)));
        expect([...outDegrees(graph)]).toEqual(nodes.map((node) => count(graph.senders, node)));
      }),
    );
    expect([...inDegrees(empty), ...outDegrees(empty)]).toEqual([]);
  });
});

describe('degreeWeights', () => {
  const plain: Record<DegreeWeightsOptions['by'], (w: number, out: number, into: number) => number> = {
    symmetric: (w, out, into) => w / Math.sqrt(out * into),
    randomWalk: (w, out) => w / out,
    mean: (w, _out, into) => w / into,
    typedMean: (w, _out, into) => w / into,
  };
  const kinds = Object.keys(plain) as DegreeWeightsOptions['by'][];
  const expectClose = (graph: Graph, options: DegreeWeightsOptions): void => {
    const weights = Array.from(options.weights ?? graph.senders.map(() => 1));
    const actual = degreeWeights(graph, options);
    expect(actual.length).toBe(graph.edgeCount);
    for (let edge = 0; edge < graph.edgeCount; edge++) {
      const out = total(weights, graph.senders, graph.senders[edge]);
      const counted = weights.map((weight, other) =>
        options.by === 'typedMean' && graph.edgeTypes[other] !== graph.edgeTypes[edge] ? 0 : weight,
      );
      const into = total(counted, graph.receivers, graph.receivers[edge]);
      const expected = weights[edge] === 0 ? 0 : plain[options.by](weights[edge], out, into);
      expect(actual[edge]).toBeCloseTo(expected, 6);
    }
  };

  it.each(kinds)('%s is its formula on every edge', (by) => {
    fc.assert(
      fc.property(edgeLists, (input) => {
        expectClose(createGraph(input), { by });
      }),
    );
  });

  it.each(kinds)('%s takes weights, of which some or all may be 0', (by) => {
    const weighted = edgeLists.chain((input) => {
      const length = input.senders.length;
      return fc.tuple(fc.constant(input), fc.array(fc.nat(3), { minLength: length, maxLength: length }));
    });
    fc.assert(
      fc.property(weighted, ([input, weights]) => {
        expectClose(createGraph(input), { by, weights });
      }),
    );
  });

  it('is the matrix of GCN on a path with self-loops', () => {
    // 0 – 1 – 2 in both directions, and the loops: degrees 2, 3, 2.
    const graph = createGraph({
      nodeCount: 3,
      senders: [0, 1, 1, 2, 0, 1, 2],
      receivers: [1, 0, 2, 1, 0, 1, 2],
    });
    const side = Math.fround(1 / Math.sqrt(6));
    expect([...degreeWeights(graph, { by: 'symmetric' })]).toEqual(
      [side, side, side, side, 1 / 2, 1 / 3, 1 / 2].map(Math.fround),
    );
  });

  it('has none for a graph without edges', () => {
    expect(degreeWeights(empty, { by: 'symmetric' }).length).toBe(0);
  });

  it.each<[object, string]>([
    [{ by: 'both' }, "expected by among symmetric, randomWalk, mean, typedMean, got 'both'"],
    [{ by: 'mean', norm: 1 }, "got 'norm'"],
    [{ by: 'mean', weights: [1] }, 'expected weights of length 2 (edgeCount), got 1'],
    [{ by: 'mean', weights: [1, -1] }, 'expected weights[1] to be a finite number ≥ 0, got -1'],
    [{ by: 'mean', weights: [NaN, 1] }, 'expected weights[0] to be a finite number ≥ 0, got NaN'],
  ])('refuses %o', (options, message) => {
    const graph = createGraph({ nodeCount: 2, senders: [0, 1], receivers: [1, 0] });
    expect(() => degreeWeights(graph, options as DegreeWeightsOptions)).toThrow(message);
  });
});
