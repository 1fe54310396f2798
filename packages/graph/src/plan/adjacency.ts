/** Who can be reached from a node along one edge, in both directions. */
import type { Graph } from '../graph.ts';
import { outgoingEdges } from './outgoing-edges.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import { pick } from './typed-ids.ts';

/** The neighbours of node i are ends[offsets[i] … offsets[i + 1] − 1]. */
export interface Neighbours {
  readonly offsets: Int32Array;
  readonly ends: Int32Array;
}

export interface Adjacency {
  readonly nodeCount: number;
  readonly into: Neighbours;
  readonly outOf: Neighbours;
}

export function adjacencyOf(graph: Graph, outgoing: OutgoingEdges = outgoingEdges(graph)): Adjacency {
  const { offsets, permutation } = graph.byReceiver;
  return {
    nodeCount: graph.nodeCount,
    into: { offsets, ends: pick(graph.senders, permutation) },
    outOf: { offsets: outgoing.offsets, ends: outgoing.receivers },
  };
}
