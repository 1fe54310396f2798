/** Random graphs for property tests. */
import fc from 'fast-check';
import type { GraphInput } from './graph.ts';

/**
 * Up to 8 nodes and 24 distinct edges of 3 types; isolated nodes, self-loops and no edges at all included.
 */
export const edgeLists: fc.Arbitrary<Required<GraphInput>> = fc
  .integer({ min: 1, max: 8 })
  .chain((nodeCount) => {
    const node = fc.nat(nodeCount - 1);
    const edges = fc.uniqueArray(fc.tuple(node, node, fc.nat(2)), { maxLength: 24, selector: String });
    return edges.map((list) => ({
      nodeCount,
      senders: list.map(([sender]) => sender),
      receivers: list.map(([, receiver]) => receiver),
      edgeTypes: list.map(([, , type]) => type),
      edgeTypeCount: 3,
    }));
  });
