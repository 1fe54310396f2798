import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGraph } from './graph.ts';
import { createHopSearch, UNREACHABLE } from './hop-distances.ts';
import { createHopsBetween } from './hops-between.ts';
import { edgeLists } from './random-graphs.cases.ts';

describe('hops between two nodes', () => {
  it('are those of a search over the graph without the hidden edges, one search after the other', () => {
    fc.assert(
      fc.property(edgeLists, fc.array(fc.nat(99)), fc.nat(4), (input, some, maxHops) => {
        const graph = createGraph(input);
        const hidden = graph.edgeCount === 0 ? [] : some.map((edge) => edge % graph.edgeCount);
        const left = <T>(list: ArrayLike<T>): T[] => Array.from(list).filter((_, e) => !hidden.includes(e));
        const [senders, receivers, edgeTypes] = [input.senders, input.receivers, input.edgeTypes].map(left);
        const search = createHopSearch(createGraph({ ...input, senders, receivers, edgeTypes }));
        const between = createHopsBetween(graph);
        for (let from = 0; from < graph.nodeCount; from++) {
          const [all, near] = [search.from(from), search.from(from, { maxHops })];
          const whole = createHopSearch(graph).from(from);
          for (let to = 0; to < graph.nodeCount; to++) {
            expect(between(from, to, { hidden })).toBe(all[to]);
            expect(between(from, to, { hidden, maxHops })).toBe(near[to]);
            expect(between(from, to)).toBe(whole[to]);
          }
        }
      }),
    );
  });

  it('need nodes and edges of the graph', () => {
    const between = createHopsBetween(createGraph({ nodeCount: 2, senders: [0], receivers: [1] }));
    expect([between(0, 1), between(1, 0), between(0, 1, { hidden: [0] })]).toEqual([
      ...[1, UNREACHABLE, UNREACHABLE],
    ]);
    expect(() => between(0, 2)).toThrow('hops between: expected to in 0..1 (nodeCount 2), got to 2');
    expect(() => between(0, 1, { hidden: [1] })).toThrow(
      'hops between: expected hidden edges in 0..0, got 1',
    );
  });
});
