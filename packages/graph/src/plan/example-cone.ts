/**
 * Where one example can matter: sets of nodes that change with time, found by going along edges from the source and back
 * from the destination. Only nodes that are found are looked at, however large the graph.
 *
 * Forwards, what the example can have changed: F_0 = {source} and
 *
 *   F_{t+1} = F_t ∪ Out(F_t),   or   F_t ∪ Out(F_t ∪ In(F_t))   where a message depends on all receivers of its sender.
 *
 * Backwards, what the loss can still read of it: A_T = {destination}, S_T = ∅ and
 *
 *   A_t = F_t ∩ (A_{t+1} ∪ In(A_{t+1} ∪ S_{t+1})),   S_t = F_t ∩ (S_{t+1} ∪ A_t ∪ Out(A_t)):
 *
 * attention needs that of senders, their transitions need the states of all their receivers, and a state needs what acts
 * on the messages into it. Where attention acts on nothing, S stays empty. Where all attention reaches a global state, that
 * of t acts on the states of t + 1, their transitions, and so on the attention of t + 2: A_t = F_t for t ≤ T − 3.
 *
 * Where not all attention is carried on, F grows along the edges that are kept at t alone.
 */
import type { Adjacency, Neighbours } from './adjacency.ts';
import type { KeptStep } from './kept-flow.ts';
import type { PlanKind } from './plan-kind.ts';

/** The nodes that an example can matter at, ascending, its ends among them. */
export interface ExampleCone {
  readonly nodes: Int32Array;
  /** The time from which on node k is in F; T for a destination out of reach. */
  readonly since: Int32Array;
  /** The last time at which node k is in A; −1 for never. All in F are in A at T if more than the loss is asked for. */
  readonly attention: Int32Array;
  /** The last time at which node k is in S; −1 for never. All in F are in S if more than the loss is asked for. */
  readonly states: Int32Array;
  /** Where a message depends on all receivers of its sender: the nodes, ascending, whose messages differ, and from when on. */
  readonly senders?: { readonly nodes: Int32Array; readonly since: Int32Array };
  /** Which edges carry attention on at t; absent where all do. */
  readonly kept?: readonly KeptStep[];
}

/** An example of so many steps, of which each carries on what is kept; all, unless given. */
export interface ConeExample {
  readonly source: number;
  readonly destination: number | undefined;
  readonly lossOnly: boolean;
  readonly steps: number;
  readonly kept?: readonly KeptStep[];
}

export type ConeOf = (source: number, destination: number | undefined, lossOnly: boolean) => ExampleCone;

/** Numbers that are kept at most: 32 MB of them. When there are more, all cones are forgotten and made anew. */
const capacity = 2 ** 23;

/** Finds cones and, as epochs come back to the same pairs, remembers them while they are small together. */
export function createConeSearch(adjacency: Adjacency, steps: number, kind: PlanKind): ConeOf {
  const find = coneFinder(adjacency, kind);
  const { nodeCount } = adjacency;
  const known = new Map<number, ExampleCone>();
  let kept = 0;
  return (source, destination, lossOnly) => {
    const key = ((destination ?? nodeCount) * nodeCount + source) * 2 + Number(lossOnly);
    const found = known.get(key);
    if (found) return found;
    const cone = find({ source, destination, lossOnly, steps });
    kept += 4 * cone.nodes.length;
    if (kept > capacity) {
      known.clear();
      kept = 4 * cone.nodes.length;
    }
    known.set(key, cone);
    return cone;
  };
}

/** Remembers what `make` gave for a cone, and forgets it together with the cone. */
export function perCone<T, Others extends readonly unknown[]>(
  make: (cone: ExampleCone, ...others: Others) => T,
): (cone: ExampleCone, ...others: Others) => T {
  const known = new WeakMap<ExampleCone, { readonly value: T }>();
  return (cone, ...others) => {
    const found = known.get(cone) ?? { value: make(cone, ...others) };
    known.set(cone, found);
    return found.value;
  };
}

/** A time for each node of the graph, −1 for none. Whoever sets some takes them back, so that no other node is touched. */
const timesOfNodes = (nodeCount: number): Int32Array => new Int32Array(nodeCount).fill(-1);

/** Finds the cone of an example, and remembers nothing. */
export function coneFinder(
  { nodeCount, into, outOf }: Adjacency,
  kind: PlanKind,
): (example: ConeExample) => ExampleCone {
  const { flow, acts, global, reads } = kind;
  const throughSiblings = !flow && reads === 'siblings';
  const [since, sending, attention, states] = Array.from({ length: 4 }, () => timesOfNodes(nodeCount));
  /** Calls `visit` with every neighbour of `nodes`. */
  const each = (
    { offsets, ends }: Neighbours,
    nodes: readonly number[],
    visit: (node: number) => void,
  ): void => {
    for (const node of nodes) for (let i = offsets[node]; i < offsets[node + 1]; i++) visit(ends[i]);
  };
  /** Adds to `fresh`, and gives a time to, whoever has none. */
  const adder =
    (times: Int32Array, time: number, fresh: number[]) =>
    (node: number): void => {
      if (times[node] >= 0) return;
      times[node] = time;
      fresh.push(node);
    };

  /** F: the nodes in the order in which they are found. */
  const forwards = ({ source, steps, kept }: ConeExample): { found: number[]; senders: number[] } => {
    const found = [source];
    since[source] = 0;
    const senders: number[] = [];
    for (let t = 0, fresh = [source]; t < steps && (kept || fresh.length > 0); t++) {
      const next: number[] = [];
      if (kept) {
        const reach = adder(since, t + 1, next);
        for (const e of kept[t].edges) reach(outOf.ends[e]);
      } else if (throughSiblings) {
        const before = senders.length;
        const send = adder(sending, t, senders);
        fresh.forEach(send);
        each(into, fresh, send);
        each(outOf, senders.slice(before), adder(since, t + 1, next));
      } else {
        each(outOf, fresh, adder(since, t + 1, next));
      }
      for (const node of next) found.push(node);
      fresh = next;
    }
    return { found, senders };
  };

  /** A and S of the loss. */
  const backwards = (found: readonly number[], destination: number, steps: number): void => {
    if (since[destination] < 0) return;
    attention[destination] = steps;
    let fresh: readonly number[] = [destination];
    for (let t = steps - 1; t >= 0; t--) {
      if (global && t <= steps - 3) {
        for (const node of found) if (attention[node] < 0 && since[node] <= t) attention[node] = t;
        return;
      }
      const inTime = (add: (node: number) => void) => (node: number) => {
        if (since[node] >= 0 && since[node] <= t) add(node);
      };
      // At T − 1 the transition of the destination itself is needed for the first time.
      const senders: number[] = t === steps - 1 && since[destination] <= t ? [destination] : [];
      each(into, fresh, inTime(adder(attention, t, senders)));
      if (!acts) {
        fresh = senders;
        continue;
      }
      const needed: number[] = [];
      const need = inTime(adder(states, t, needed));
      senders.forEach(need);
      each(outOf, senders, need);
      for (const node of needed) senders.push(node);
      fresh = senders;
    }
  };

  return (example) => {
    const { source, destination, lossOnly, steps, kept } = example;
    const { found, senders } = forwards(example);
    if (lossOnly && flow) {
      backwards(found, destination!, steps);
    } else {
      for (const node of found) attention[node] = states[node] = steps;
    }
    attention[source] = Math.max(attention[source], 0);
    if (flow && destination !== undefined && since[destination] < 0) {
      found.push(destination);
      since[destination] = attention[destination] = steps;
    }
    const isIn = (node: number): boolean => attention[node] >= since[node] || states[node] >= since[node];
    const times = (nodes: Int32Array, of: Int32Array): Int32Array => nodes.map((node) => of[node]);
    const nodes = Int32Array.from(found.filter(isIn)).sort();
    const sendingNodes = Int32Array.from(senders).sort();
    const cone: ExampleCone = {
      nodes,
      since: times(nodes, since),
      attention: times(nodes, attention),
      states: times(nodes, states),
      ...(kept && { kept }),
      ...(throughSiblings && { senders: { nodes: sendingNodes, since: times(sendingNodes, sending) } }),
    };
    for (const node of senders) sending[node] = -1;
    for (const node of found) since[node] = attention[node] = states[node] = -1;
    return cone;
  };
}
