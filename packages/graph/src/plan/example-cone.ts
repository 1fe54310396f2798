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
import { ascending } from './typed-ids.ts';
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

/** An example of which the loss alone is asked for. */
type Narrow = ConeExample & { readonly destination: number };

export type ConeOf = (
  source: number,
  destination: number | undefined,
  lossOnly: boolean,
  pruned?: Pick<ConeExample, 'steps' | 'kept'>,
) => ExampleCone;

/**
 * Numbers that are kept at most, 64 MB of them, with those that follow from a cone: about sixteen for each of its nodes. When
 * there are more, all cones are forgotten and made anew.
 */
const capacity = 2 ** 24;
const numbersEach = 16;

/**
 * Finds cones of T steps and, as epochs come back to the same pairs, remembers them while they are small together. Those of
 * pruned flow do not come back.
 */
export function createConeSearch(adjacency: Adjacency, steps: number, kind: PlanKind): ConeOf {
  const find = coneFinder(adjacency, kind);
  const { nodeCount } = adjacency;
  const known = new Map<number, ExampleCone>();
  let kept = 0;
  return (source, destination, lossOnly, pruned) => {
    if (pruned) return find({ source, destination, lossOnly, ...pruned });
    const key = ((destination ?? nodeCount) * nodeCount + source) * 2 + Number(lossOnly);
    const found = known.get(key);
    if (found) return found;
    const cone = find({ source, destination, lossOnly, steps });
    kept += numbersEach * cone.nodes.length;
    if (kept > capacity) {
      known.clear();
      kept = numbersEach * cone.nodes.length;
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

/** Finds the cone of an example, and remembers nothing. */
export function coneFinder(
  { nodeCount, into, outOf }: Adjacency,
  kind: PlanKind,
): (example: ConeExample) => ExampleCone {
  const { flow, acts, global, reads } = kind;
  const throughSiblings = !flow && reads === 'siblings';
  // A time for each node of the graph, or none. Times are stored above `begin`, which rises from example to example: what
  // was there before counts as none, and nothing has to be taken back.
  const tables = Array.from({ length: 4 }, () => new Int32Array(nodeCount));
  const [since, sending, attention, states] = tables;
  let begin = 1;
  /** The largest time since then. */
  let largest = 0;
  const forget = (steps: number): void => {
    begin += largest + 1;
    largest = steps;
    if (begin + largest < 2 ** 31) return;
    for (const times of tables) times.fill(0);
    begin = 1;
  };
  const timeOf = (times: Int32Array, node: number): number => Math.max(times[node] - begin, -1);
  const setTime = (times: Int32Array, node: number, time: number): void => {
    times[node] = begin + time;
  };
  /** Gives a time to `node` if it has none, is in F by then, or need not be, and adds it to `fresh`. */
  const add = (node: number, times: Int32Array, time: number, fresh: number[], inF?: Int32Array): void => {
    if (times[node] >= begin) return;
    if (inF && (inF[node] < begin || inF[node] > begin + time)) return;
    times[node] = begin + time;
    fresh.push(node);
  };
  /** Does so with every neighbour of `nodes`. */
  const addAll = (
    { offsets, ends }: Neighbours,
    nodes: readonly number[],
    times: Int32Array,
    time: number,
    fresh: number[],
    inF?: Int32Array,
  ): void => {
    for (const node of nodes) {
      const end = offsets[node + 1];
      for (let i = offsets[node]; i < end; i++) add(ends[i], times, time, fresh, inF);
    }
  };

  /** F of t = 0 … last, the nodes in the order in which they are found. */
  const forwards = ({ source, kept }: ConeExample, last: number): { found: number[]; senders: number[] } => {
    const found = [source];
    setTime(since, source, 0);
    const senders: number[] = [];
    for (let t = 0, fresh = [source]; t < last && (kept || fresh.length > 0); t++) {
      const next: number[] = [];
      if (kept) {
        const { senders: leaving, edges } = kept[t];
        if (edges) for (const e of edges) add(outOf.ends[e], since, t + 1, next);
        else addAll(outOf, [...leaving], since, t + 1, next);
      } else if (throughSiblings) {
        const before = senders.length;
        for (const node of fresh) add(node, sending, t, senders);
        addAll(into, fresh, sending, t, senders);
        addAll(outOf, senders.slice(before), since, t + 1, next);
      } else {
        addAll(outOf, fresh, since, t + 1, next);
      }
      for (const node of next) found.push(node);
      fresh = next;
    }
    return { found, senders };
  };

  /** Finds out whether `node` comes into F at t, given who is in it before. */
  const lookBack = (node: number, t: number): void => {
    if (since[node] >= begin) return;
    for (let i = into.offsets[node]; i < into.offsets[node + 1]; i++) {
      const before = since[into.ends[i]];
      if (before < begin || before >= begin + t) continue;
      since[node] = begin + t;
      return;
    }
  };
  /** Does so with every neighbour of `nodes`. */
  const lookBackAll = ({ offsets, ends }: Neighbours, nodes: readonly number[], t: number): void => {
    for (const node of nodes) for (let i = offsets[node]; i < offsets[node + 1]; i++) lookBack(ends[i], t);
  };

  /** A and S of the loss: whoever is in one of them. */
  const backwards = (found: readonly number[], { destination, steps, kept }: Narrow): number[] => {
    if (timeOf(since, destination) < 0) return [];
    setTime(attention, destination, steps);
    const inCone = [destination];
    let fresh: readonly number[] = [destination];
    for (let t = steps - 1; t >= 0; t--) {
      if (global && t <= steps - 3) {
        for (const node of found) add(node, attention, t, inCone, since);
        return inCone;
      }
      // At T − 1 the transition of the destination itself is needed for the first time.
      const senders: number[] = t === steps - 1 && timeOf(since, destination) <= t ? [destination] : [];
      addAll(into, fresh, attention, t, senders, since);
      const needed: number[] = [];
      if (acts) {
        if (t === steps - 1 && !kept) lookBackAll(outOf, senders, t);
        for (const node of senders) add(node, states, t, needed, since);
        addAll(outOf, senders, states, t, needed, since);
      }
      for (const node of needed) senders.push(node);
      for (const node of senders) inCone.push(node);
      fresh = senders;
    }
    return inCone;
  };

  return (example) => {
    const { source, destination, lossOnly, steps, kept } = example;
    const narrow = lossOnly && flow ? { ...example, destination: destination! } : undefined;
    forget(steps);
    // Of the last two fronts the loss reads little: what it does is found from the destination.
    const { found, senders } = forwards(example, narrow && !kept ? Math.max(steps - 2, 0) : steps);
    if (narrow && !kept) {
      lookBackAll(into, [narrow.destination], steps - 1);
      lookBack(narrow.destination, steps - 1);
      lookBack(narrow.destination, steps);
    }
    const inCone = narrow ? backwards(found, narrow) : found;
    if (!narrow) {
      for (const node of found) {
        setTime(attention, node, steps);
        setTime(states, node, steps);
      }
    }
    // The ends are in it, whether or not one leads to the other.
    inCone.push(source);
    if (timeOf(attention, source) < 0) setTime(attention, source, 0);
    if (flow && destination !== undefined && timeOf(since, destination) < 0) {
      inCone.push(destination);
      setTime(since, destination, steps);
      setTime(attention, destination, steps);
    }
    const times = (nodes: Int32Array, of: Int32Array): Int32Array => nodes.map((node) => timeOf(of, node));
    const nodes = ascending(inCone);
    const sendingNodes = Int32Array.from(senders).sort();
    return {
      nodes,
      since: times(nodes, since),
      attention: times(nodes, attention),
      states: times(nodes, states),
      ...(kept && { kept }),
      ...(throughSiblings && { senders: { nodes: sendingNodes, since: times(sendingNodes, sending) } }),
    };
  };
}
