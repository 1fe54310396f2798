import type { EdgeOrder } from './edge-order.ts';
import type { Graph } from './graph.ts';
import { readNode } from './read-indices.ts';

/**
 * The hop distance of a node that no path reaches: larger than any number of hops, so `hops <= t` needs no
 * guard.
 */
export const UNREACHABLE = 2 ** 31 - 1;

/** What a search for hop distances can be told. */
export interface HopOptions {
  /** Nodes farther away than this count as unreachable; the search stops there. No limit when left out. */
  readonly maxHops?: number;
  /** [nodes] filled and returned instead of a new array: for searches from many nodes. */
  readonly out?: Int32Array;
}

/** Breadth-first searches over one graph, from many nodes, without allocating per search. */
export interface HopSearch {
  /** [nodes] hops(node → i): the least number of edges on a directed path from `node` to i. */
  from(node: number, options?: HopOptions): Int32Array;
  /** [nodes] hops(i → node): the least number of edges on a directed path from i to `node`. */
  to(node: number, options?: HopOptions): Int32Array;
}

/**
 * Prepares the neighbor lists of both directions once. Edge types do not matter, self-loops shorten nothing.
 */
export function createHopSearch(graph: Graph): HopSearch {
  const successors = neighborLists(graph.bySender, graph.receivers);
  const predecessors = neighborLists(graph.byReceiver, graph.senders);
  const queue = new Int32Array(graph.nodeCount);
  const search = (
    where: string,
    lists: NeighborLists,
    node: number,
    options: HopOptions = {},
  ): Int32Array => {
    readNode(where, 'node', node, graph.nodeCount);
    const { maxHops = UNREACHABLE, out = new Int32Array(graph.nodeCount) } = options;
    if (out.length !== graph.nodeCount) {
      throw new RangeError(
        `${where}: expected out of length ${graph.nodeCount} (nodeCount), got ${out.length}`,
      );
    }
    breadthFirst(lists, node, maxHops, queue, out);
    return out;
  };
  return {
    from: (node, options) => search('hops from', successors, node, options),
    to: (node, options) => search('hops to', predecessors, node, options),
  };
}

/** Hop distances from one node; for many nodes of one graph make a `createHopSearch` and keep it. */
export function hopsFrom(graph: Graph, node: number, options?: HopOptions): Int32Array {
  return createHopSearch(graph).from(node, options);
}

/** Hop distances to one node; for many nodes of one graph make a `createHopSearch` and keep it. */
export function hopsTo(graph: Graph, node: number, options?: HopOptions): Int32Array {
  return createHopSearch(graph).to(node, options);
}

interface NeighborLists {
  readonly offsets: Int32Array;
  readonly neighbors: Int32Array;
}

function neighborLists({ permutation, offsets }: EdgeOrder, otherEnds: Int32Array): NeighborLists {
  return { offsets, neighbors: permutation.map((edge) => otherEnds[edge]) };
}

/** Each node enters the queue once, when first seen: that is at its least distance. */
function breadthFirst(
  { offsets, neighbors }: NeighborLists,
  start: number,
  maxHops: number,
  queue: Int32Array,
  hops: Int32Array,
): void {
  hops.fill(UNREACHABLE);
  hops[start] = 0;
  queue[0] = start;
  let length = 1;
  for (let head = 0; head < length; head++) {
    const node = queue[head];
    const next = hops[node] + 1;
    if (next > maxHops) return;
    for (let i = offsets[node]; i < offsets[node + 1]; i++) {
      const neighbor = neighbors[i];
      if (hops[neighbor] === UNREACHABLE) {
        hops[neighbor] = next;
        queue[length++] = neighbor;
      }
    }
  }
}
