import { describe, expect, it } from 'vitest';
import { graphFromEdgeList } from './edge-list.ts';
import type { NamedEdge } from './edge-list.ts';

const family: NamedEdge[] = [
  ['ann', 'parent', 'bob'],
  ['bob', 'parent', 'cid'],
  ['cid', 'likes', 'ann'],
];

describe('graphFromEdgeList', () => {
  it('numbers nodes and edge types by their first appearance', () => {
    const { graph, nodeNames, edgeTypeNames } = graphFromEdgeList(family);
    expect(nodeNames).toEqual(['ann', 'bob', 'cid']);
    expect(edgeTypeNames).toEqual(['parent', 'likes']);
    expect([...graph.senders]).toEqual([0, 1, 2]);
    expect([...graph.receivers]).toEqual([1, 2, 0]);
    expect([...graph.edgeTypes]).toEqual([0, 0, 1]);
  });

  it('keeps the order of given names, and nodes without edges', () => {
    const { graph } = graphFromEdgeList(family, {
      nodes: ['dot', 'cid', 'bob', 'ann'],
      edgeTypes: ['likes', 'parent'],
    });
    expect(graph.nodeCount).toBe(4);
    expect([...graph.senders]).toEqual([3, 2, 1]);
    expect([...graph.edgeTypes]).toEqual([1, 1, 0]);
  });

  it('makes an empty graph of an empty list', () => {
    expect(graphFromEdgeList([]).graph).toMatchObject({ nodeCount: 0, edgeCount: 0, edgeTypeCount: 0 });
  });

  it('is not confused by names that every object has', () => {
    const { nodeNames } = graphFromEdgeList([['constructor', '__proto__', 'toString']]);
    expect(nodeNames).toEqual(['constructor', 'toString']);
  });

  it('names an edge whose node or type is not among the given names, and the choices', () => {
    expect(() => graphFromEdgeList(family, { nodes: ['ann', 'bob'] })).toThrow(
      "graphFromEdgeList: expected the node of edge 1 among ann, bob, got 'cid'",
    );
    expect(() => graphFromEdgeList(family, { edgeTypes: ['parent'] })).toThrow(
      "expected the edge type of edge 2 among parent, got 'likes'",
    );
  });

  it('names a name that is given twice, and an edge that is none', () => {
    expect(() => graphFromEdgeList(family, { nodes: ['ann', 'bob', 'ann'] })).toThrow("got 'ann' twice");
    const short = [['ann', 'bob']] as unknown as NamedEdge[];
    expect(() => graphFromEdgeList(short)).toThrow(
      'expected edge 0 as [sender, edge type, receiver], got 2 names',
    );
  });

  it('shows only the first of many choices', () => {
    const nodes = Array.from({ length: 40 }, (_, i) => `n${i}`);
    expect(() => graphFromEdgeList(family, { nodes })).toThrow("n11, … (40 names), got 'ann'");
  });
});
