import { describe, expect, it } from 'vitest';
import { createGraph } from './graph.ts';
import { withSelfLoops } from './self-loops.ts';

const graph = createGraph({ nodeCount: 3, senders: [0, 1], receivers: [1, 0], edgeTypes: [0, 1] });

describe('withSelfLoops', () => {
  it('adds one loop per node, isolated nodes included, after the edges that were there', () => {
    const looped = withSelfLoops(graph);
    expect([...looped.senders]).toEqual([0, 1, 0, 1, 2]);
    expect([...looped.receivers]).toEqual([1, 0, 0, 1, 2]);
    expect([...looped.edgeTypes]).toEqual([0, 1, 2, 2, 2]);
    expect(looped.edgeTypeCount).toBe(3);
    expect([...looped.bySender.offsets]).toEqual([0, 2, 4, 5]);
  });

  it('takes the edge type that it is given', () => {
    expect(withSelfLoops(graph, { edgeType: 8 })).toMatchObject({ edgeTypeCount: 9 });
    expect([...withSelfLoops(graph, { edgeType: 0 }).edgeTypes]).toEqual([0, 1, 0, 0, 0]);
  });

  it('refuses to add a loop a second time', () => {
    const looped = withSelfLoops(graph, { edgeType: 2 });
    expect(() => withSelfLoops(looped, { edgeType: 2 })).toThrow(
      'expected each edge once, got 0 → 0 of type 2',
    );
  });

  it('refuses an edge type that is none', () => {
    expect(() => withSelfLoops(graph, { edgeType: -1 })).toThrow(
      'expected edgeTypes[2] to be an integer in 0..1',
    );
  });
});
