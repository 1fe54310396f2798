/** How far it is from one node to another, for many pairs of nodes, where some edges may be hidden from a pair. */
import type { EdgeOrder } from './edge-order.ts';
import type { Graph } from './graph.ts';
import { UNREACHABLE } from './hop-distances.ts';
import { readEdge, readNode } from './read-indices.ts';

/** What a search between two nodes can be told. */
export interface BetweenOptions {
  /** What is farther away counts as unreachable; the search stops there. No limit when left out. */
  readonly maxHops?: number;
  /** Edges of the graph that no path takes; none unless given. */
  readonly hidden?: readonly number[];
}

/** The least number of edges on a directed path from one node to another; `UNREACHABLE` where there is none. */
export type HopsBetween = (this: void, from: number, to: number, options?: BetweenOptions) => number;

const where = 'hops between';

/** One end of a search. */
interface Side {
  readonly order: EdgeOrder;
  /** Edge → the node that this side comes to along it. */
  readonly ends: Int32Array;
  /** Node → the number of the last search that saw it. */
  readonly seen: Int32Array;
  /** Nodes in the order in which they were seen: those of the last level are `first` … `end` − 1. */
  readonly nodes: Int32Array;
  first: number;
  end: number;
}

/**
 * Searches over one graph that begin at both ends and go on at the end with fewer nodes. Where two nodes are near each other,
 * that is a small part of the graph, however large it is, and nothing is cleared between two searches.
 */
export function createHopsBetween(graph: Graph): HopsBetween {
  const { nodeCount, edgeCount, senders, receivers, bySender, byReceiver } = graph;
  const [ahead, back] = [sideOf(bySender, receivers, nodeCount), sideOf(byReceiver, senders, nodeCount)];
  const isHidden = new Uint8Array(edgeCount);
  let search = 0;
  return (from, to, { maxHops = UNREACHABLE, hidden = [] } = {}) => {
    readNode(where, 'from', from, nodeCount);
    readNode(where, 'to', to, nodeCount);
    for (const edge of hidden) readEdge(where, 'hidden', edge, edgeCount);
    if (from === to) return 0;
    search += 1;
    begin(ahead, from, search);
    begin(back, to, search);
    for (const edge of hidden) isHidden[edge] = 1;
    // Both sides together have gone hops − 1 levels without a common node, so no path has fewer edges than `hops`.
    let found = UNREACHABLE;
    for (let hops = 1; hops <= maxHops && found === UNREACHABLE; hops++) {
      const [near, far] = widthOf(ahead) <= widthOf(back) ? [ahead, back] : [back, ahead];
      if (widthOf(near) === 0) break;
      if (meets(near, far, isHidden, search)) found = hops;
    }
    for (const edge of hidden) isHidden[edge] = 0;
    return found;
  };
}

const sideOf = (order: EdgeOrder, ends: Int32Array, nodeCount: number): Side => ({
  order,
  ends,
  seen: new Int32Array(nodeCount),
  nodes: new Int32Array(nodeCount),
  first: 0,
  end: 0,
});

function begin(side: Side, node: number, search: number): void {
  side.seen[node] = search;
  side.nodes[0] = node;
  side.first = 0;
  side.end = 1;
}

const widthOf = ({ first, end }: Side): number => end - first;

/** Takes one side a level further; true as soon as it sees a node that the other has seen. */
function meets(side: Side, other: Side, isHidden: Uint8Array, search: number): boolean {
  const {
    order: { offsets, permutation },
    ends,
    seen,
    nodes,
    first,
    end,
  } = side;
  let length = end;
  for (let k = first; k < end; k++) {
    for (let i = offsets[nodes[k]]; i < offsets[nodes[k] + 1]; i++) {
      const edge = permutation[i];
      const node = ends[edge];
      if (seen[node] === search || isHidden[edge] === 1) continue;
      if (other.seen[node] === search) return true;
      seen[node] = search;
      nodes[length++] = node;
    }
  }
  side.first = end;
  side.end = length;
  return false;
}
