import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';

/** What `withSelfLoops` can be told. */
export interface SelfLoopOptions {
  /** The type of the new edges; a new type (edgeTypeCount) when left out. */
  readonly edgeType?: number;
}

/**
 * The graph with one self-loop on every node, as the paper adds them so that a walk that has ended may stay.
 * The edges of `graph` keep their numbers; the loop of node v is edge edgeCount + v.
 */
export function withSelfLoops(graph: Graph, { edgeType = graph.edgeTypeCount }: SelfLoopOptions = {}): Graph {
  const { nodeCount, edgeCount } = graph;
  const extended = (values: Int32Array, ofLoop: (node: number) => number): Int32Array => {
    const result = new Int32Array(edgeCount + nodeCount);
    result.set(values);
    for (let node = 0; node < nodeCount; node++) result[edgeCount + node] = ofLoop(node);
    return result;
  };
  return createGraph({
    nodeCount,
    senders: extended(graph.senders, (node) => node),
    receivers: extended(graph.receivers, (node) => node),
    edgeTypes: extended(graph.edgeTypes, () => edgeType),
    edgeTypeCount: Math.max(graph.edgeTypeCount, edgeType + 1),
  });
}
