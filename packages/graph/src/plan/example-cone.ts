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
import { IntQueue } from './int-queue.ts';
import { sideBySide } from './int-room.ts';
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

// The times of a node: from when on it is in F, from when on its messages differ, until when it is in A, and in S.
const [since, sending, attention, states] = [0, 1, 2, 3];

/** Finds the cone of an example, and remembers nothing. */
export function coneFinder(
  { nodeCount, into, outOf }: Adjacency,
  kind: PlanKind,
): (example: ConeExample) => ExampleCone {
  const { flow, acts, global, reads } = kind;
  const throughSiblings = !flow && reads === 'siblings';
  // Those of a node lie side by side, as they are read together. Times are stored above `begin`, which rises from example to
  // example: what was there before counts as none, and nothing has to be taken back.
  const times = new Int32Array(4 * nodeCount);
  let begin = 1;
  /** The largest time since then. */
  let largest = 0;
  const forget = (steps: number): void => {
    begin += largest + 1;
    largest = steps;
    if (begin + largest < 2 ** 31) return;
    times.fill(0);
    begin = 1;
  };
  const timeOf = (node: number, which: number): number => Math.max(times[4 * node + which] - begin, -1);
  const setTime = (node: number, which: number, time: number): void => {
    times[4 * node + which] = begin + time;
  };
  // Whoever is found, front after front: in F, with messages that differ, in A or S.
  const [found, senders, needed] = [new IntQueue(), new IntQueue(), new IntQueue()];
  /** Adds a node that has no time yet; to A and S, if it is in F by then. */
  const add = (queue: IntQueue, node: number, which: number, time: number): void => {
    const at = 4 * node;
    if (times[at + which] >= begin) return;
    if (which >= attention && (times[at] < begin || times[at] > begin + time)) return;
    times[at + which] = begin + time;
    queue.push(node);
  };
  /** Does so with every neighbour of a node. */
  const addAll = (
    queue: IntQueue,
    { offsets, ends }: Neighbours,
    node: number,
    which: number,
    time: number,
  ): void => {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) add(queue, ends[i], which, time);
  };

  /** Finds F of t = 0 … last. */
  const forwards = ({ source, kept }: ConeExample, last: number): void => {
    found.count = senders.count = 0;
    add(found, source, since, 0);
    for (let t = 0, first = 0; t < last && (kept || first < found.count); t++) {
      const end = found.count;
      if (kept) {
        const { senders: leaving, edges } = kept[t];
        if (edges) for (const e of edges) add(found, outOf.ends[e], since, t + 1);
        else for (const node of leaving) addAll(found, outOf, node, since, t + 1);
      } else if (throughSiblings) {
        const before = senders.count;
        for (let k = first; k < end; k++) add(senders, found.values[k], sending, t);
        for (let k = first; k < end; k++) addAll(senders, into, found.values[k], sending, t);
        for (let k = before; k < senders.count; k++) addAll(found, outOf, senders.values[k], since, t + 1);
      } else {
        for (let k = first; k < end; k++) addAll(found, outOf, found.values[k], since, t + 1);
      }
      first = end;
    }
  };

  /** Finds out whether `node` comes into F at t, given who is in it before. */
  const lookBack = (node: number, t: number): void => {
    if (times[4 * node] >= begin) return;
    const end = into.offsets[node + 1];
    for (let i = into.offsets[node]; i < end; i++) {
      const before = times[4 * into.ends[i]];
      if (before < begin || before >= begin + t) continue;
      setTime(node, since, t);
      return;
    }
  };
  /** Does so with every neighbour of a node. */
  const lookBackAll = ({ offsets, ends }: Neighbours, node: number, t: number): void => {
    for (let i = offsets[node]; i < offsets[node + 1]; i++) lookBack(ends[i], t);
  };

  /** Finds A and S of the loss. */
  const backwards = ({ destination, steps, kept }: Narrow): void => {
    needed.count = 0;
    add(needed, destination, attention, steps);
    for (let t = steps - 1, first = 0; t >= 0 && needed.count > 0; t--) {
      if (global && t <= steps - 3) {
        for (let k = 0; k < found.count; k++) add(needed, found.values[k], attention, t);
        return;
      }
      const end = needed.count;
      // At T − 1 the transition of the destination itself is needed for the first time.
      if (t === steps - 1 && timeOf(destination, since) <= t) needed.push(destination);
      for (let k = first; k < end; k++) addAll(needed, into, needed.values[k], attention, t);
      const leaving = acts ? needed.count : end;
      if (t === steps - 1 && !kept)
        for (let k = end; k < leaving; k++) lookBackAll(outOf, needed.values[k], t);
      for (let k = end; k < leaving; k++) add(needed, needed.values[k], states, t);
      for (let k = end; k < leaving; k++) addAll(needed, outOf, needed.values[k], states, t);
      first = end;
    }
  };

  /** What is in a queue, ascending, with some of its times. */
  const listsOf = ({ values, count }: IntQueue, ...which: readonly number[]): Int32Array[] => {
    const distinct = ascending(values.subarray(0, count));
    const lists = sideBySide(distinct.length, 1 + which.length);
    lists[0].set(distinct);
    for (let list = 1; list < lists.length; list++) {
      for (let k = 0; k < distinct.length; k++) lists[list][k] = timeOf(distinct[k], which[list - 1]);
    }
    return lists;
  };

  return (example) => {
    const { source, destination, lossOnly, steps, kept } = example;
    const narrow = lossOnly && flow ? { ...example, destination: destination! } : undefined;
    forget(steps);
    // Of the last two fronts the loss reads little: what it does is found from the destination.
    forwards(example, narrow && !kept ? Math.max(steps - 2, 0) : steps);
    if (narrow && !kept) {
      lookBackAll(into, narrow.destination, steps - 1);
      lookBack(narrow.destination, steps - 1);
      lookBack(narrow.destination, steps);
    }
    const inCone = narrow ? needed : found;
    if (narrow) backwards(narrow);
    for (let k = 0; !narrow && k < found.count; k++) {
      setTime(found.values[k], attention, steps);
      setTime(found.values[k], states, steps);
    }
    // The ends are in it, whether or not one leads to the other.
    inCone.push(source);
    if (timeOf(source, attention) < 0) setTime(source, attention, 0);
    if (flow && destination !== undefined && timeOf(destination, since) < 0) {
      inCone.push(destination);
      setTime(destination, since, steps);
      setTime(destination, attention, steps);
    }
    const [nodes, ...of] = listsOf(inCone, since, attention, states);
    const cone = { nodes, since: of[0], attention: of[1], states: of[2], ...(kept && { kept }) };
    if (!throughSiblings) return cone;
    const [sendingNodes, sendingSince] = listsOf(senders, sending);
    return { ...cone, senders: { nodes: sendingNodes, since: sendingSince } };
  };
}
