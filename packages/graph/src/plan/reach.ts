/**
 * The two cones, node by node: from which time on an example can have an influence there, and up to how many steps
 * before the end it can matter to the destination. Tables are made once per node of a graph and kept.
 */
import type { Graph } from '../graph.ts';
import { createHopSearch, UNREACHABLE } from '../hop-distances.ts';

/**
 * [nodes] a time or a number of steps for each node. A table for every node of a graph is much: where `steps` allows,
 * values are bytes, of which the largest stands for UNREACHABLE. Either is more than all steps.
 */
export type HopTable = Int32Array | Uint8Array;

function compact(hops: Int32Array, steps: number): HopTable {
  return steps < 255 ? Uint8Array.from(hops, (count) => Math.min(count, 255)) : hops;
}

/** What the last r steps need in order to give the attention of one destination; grows with r. */
export interface Needs {
  /** [nodes] the least r for which the attention of a node is needed. */
  readonly attention: HopTable;
  /** [nodes] the least r for which the state of a node is needed. */
  readonly states: HopTable;
}

export interface Reach {
  /** [nodes] hops(source → i): attention and what it acts on is there no earlier. */
  from(this: void, source: number): HopTable;
  /** The same for states that are read through a softmax over a sender's receivers. */
  fromThroughSiblings(this: void, source: number): HopTable;
  /** Where attention needs nothing but attention: hops(i → destination). */
  hopsTo(this: void, destination: number): HopTable;
  /**
   * Where all attention reaches a global state: hops(i → destination), and 3 for whoever is farther away. The attention
   * of t acts through the global state on states of t + 1, their transitions, and so on the attention of t + 2.
   */
  walkNeedsOf(this: void, destination: number): HopTable;
  /** Where attention needs states, and states need attention. */
  needsOf(this: void, destination: number): Needs;
}

export function createReach(graph: Graph, steps: number): Reach {
  const search = createHopSearch(graph);
  const limit = { maxHops: steps };
  const tables = (make: (node: number) => Int32Array): ((node: number) => HopTable) =>
    remembered((node) => compact(make(node), steps));
  return {
    from: tables((source) => search.from(source, limit)),
    fromThroughSiblings: tables((source) => siblingHops(graph, source, steps)),
    hopsTo: tables((destination) => search.to(destination, limit)),
    walkNeedsOf: tables((destination) =>
      search.to(destination, { maxHops: 2 }).map((hops) => Math.min(hops, 3)),
    ),
    needsOf: remembered((destination) => needs(graph, destination, steps)),
  };
}

function remembered<T>(make: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>();
  return (node) => {
    const value = known.get(node) ?? make(node);
    known.set(node, value);
    return value;
  };
}

/** Calls `visit` with the other end of each edge of `node`. */
type Neighbors = (node: number, visit: (neighbor: number) => void) => void;

function neighborsOf(graph: Graph): { readonly into: Neighbors; readonly outOf: Neighbors } {
  const along =
    ({ offsets, permutation }: Graph['bySender'], ends: Int32Array): Neighbors =>
    (node, visit) => {
      for (let i = offsets[node]; i < offsets[node + 1]; i++) visit(ends[permutation[i]]);
    };
  return {
    into: along(graph.byReceiver, graph.senders),
    outOf: along(graph.bySender, graph.receivers),
  };
}

/** A set that grows with time: when each node came in, and who came in last. */
function growingSet(nodeCount: number) {
  const since = new Int32Array(nodeCount).fill(UNREACHABLE);
  const add = (node: number, time: number, fresh: number[]): void => {
    if (since[node] !== UNREACHABLE) return;
    since[node] = time;
    fresh.push(node);
  };
  return { since, add };
}

/**
 * The least t at which a state can differ from the background, where a message from i depends on all receivers of i:
 *
 *   F_0 = {source},   F_{t+1} = F_t ∪ Out(F_t ∪ In(F_t))
 */
function siblingHops(graph: Graph, source: number, steps: number): Int32Array {
  const { into, outOf } = neighborsOf(graph);
  const differing = growingSet(graph.nodeCount);
  const sending = growingSet(graph.nodeCount);
  let fresh: number[] = [];
  differing.add(source, 0, fresh);
  for (let t = 0; t < steps && fresh.length > 0; t++) {
    const senders: number[] = [];
    for (const node of fresh) {
      sending.add(node, t, senders);
      into(node, (sender) => {
        sending.add(sender, t, senders);
      });
    }
    fresh = [];
    for (const sender of senders) {
      outOf(sender, (receiver) => {
        differing.add(receiver, t + 1, fresh);
      });
    }
  }
  return differing.since;
}

/**
 * The attention of a node needs that of its senders, their transitions need the states of all their receivers, and
 * states need what acts on the messages into them. With r steps to go:
 *
 *   Att_0 = {destination},   St_0 = ∅,
 *   Att_r = Att_{r−1} ∪ In(Att_{r−1} ∪ St_{r−1}),   St_r = St_{r−1} ∪ Att_r ∪ Out(Att_r)
 */
function needs(graph: Graph, destination: number, steps: number): Needs {
  const { into, outOf } = neighborsOf(graph);
  const attention = growingSet(graph.nodeCount);
  const states = growingSet(graph.nodeCount);
  let fresh: number[] = [];
  attention.add(destination, 0, fresh);
  for (let r = 1; r <= steps; r++) {
    // At r = 1 the state of the destination itself is needed for the first time.
    const senders = r === 1 ? [destination] : [];
    for (const node of fresh) {
      into(node, (sender) => {
        attention.add(sender, r, senders);
      });
    }
    fresh = [...senders];
    for (const sender of senders) {
      states.add(sender, r, fresh);
      outOf(sender, (receiver) => {
        states.add(receiver, r, fresh);
      });
    }
  }
  return { attention: compact(attention.since, steps), states: compact(states.since, steps) };
}
