/** Who can be reached from a node along one edge, in both directions. */
import type { Graph } from '../graph.ts';
import { pick } from './typed-ids.ts';

/** The neighbours of node i are ends[offsets[i] … offsets[i + 1] − 1]. */
export interface Neighbours {
  readonly offsets: Int32Array;
  readonly ends: Int32Array;
}

/** All edges of a graph in the order of their senders: `ends` are their receivers. */
export interface OutgoingEdges extends Neighbours {
  readonly senders: Int32Array;
  readonly types: Int32Array;
  /** Position → edge of the graph. */
  readonly edges: Int32Array;
}

export interface Adjacency {
  readonly nodeCount: number;
  readonly into: Neighbours;
  readonly outOf: OutgoingEdges;
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

export function outgoingEdges({ bySender, senders, receivers, edgeTypes }: Graph): OutgoingEdges {
  const { offsets, permutation } = bySender;
  const sorted = (values: Int32Array): Int32Array => pick(values, permutation);
  return {
    offsets,
    ends: sorted(receivers),
    senders: sorted(senders),
    types: sorted(edgeTypes),
    edges: permutation,
  };
}

export function adjacencyOf(graph: Graph): Adjacency {
  const { offsets, permutation } = graph.byReceiver;
  return {
    nodeCount: graph.nodeCount,
    into: { offsets, ends: pick(graph.senders, permutation) },
    outOf: outgoingEdges(graph),
  };
}
