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

/** What was read ahead goes somewhere, or a compiler would leave the reading out. */
const readAhead = { value: 0 };

/**
 * Reads a neighbour of each of some nodes, so that their neighbours are at hand soon after. In a large graph they are all over
 * memory, and here no read waits for another one.
 */
export function fetchNeighbours(
  { offsets, ends }: Neighbours,
  nodes: Int32Array,
  first: number,
  last: number,
): void {
  let seen = 0;
  for (let k = first; k < last; k++) seen |= ends[offsets[nodes[k]]];
  readAhead.value = seen;
}

export function adjacencyOf(graph: Graph, outgoing: OutgoingEdges = outgoingEdges(graph)): Adjacency {
  const { offsets, permutation } = graph.byReceiver;
  return {
    nodeCount: graph.nodeCount,
    into: { offsets, ends: pick(graph.senders, permutation) },
    outOf: { offsets: outgoing.offsets, ends: outgoing.receivers },
  };
}
