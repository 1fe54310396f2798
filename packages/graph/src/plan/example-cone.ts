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
  /** What the planner made of it, kept by `perCone`. */
  made?: unknown;
}

/** An example of so many steps, of which each carries on what is kept; all, unless given. */
export interface ConeExample {
  readonly source: number;
  readonly destination: number | undefined;
  readonly lossOnly: boolean;
  readonly steps: number;
  readonly kept?: readonly KeptStep[];
}

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

/** Keeps what `make` gave for a cone with it, so that both are forgotten together. */
export function perCone<T, Others extends readonly unknown[]>(
  make: (cone: ExampleCone, ...others: Others) => T,
): (cone: ExampleCone, ...others: Others) => T {
  return (cone, ...others) => (cone.made ??= make(cone, ...others)) as T;
}

/** Finds the cone of an example, and remembers nothing. */
export function coneFinder(adjacency: Adjacency, kind: PlanKind): (example: ConeExample) => ExampleCone {
  const finder = new ConeFinder(adjacency, kind);
  return (example) => finder.find(example);
}

class ConeFinder {
  readonly #into: Neighbours;
  readonly #outOf: Neighbours;
  readonly #kind: PlanKind;
  readonly #throughSiblings: boolean;
  // A time for each node of the graph, or none: from when on it is in F, from when on its messages differ, until when it is in
  // A, and in S. Times are stored above `begin`, which rises from example to example: what was there before counts as none,
  // and nothing has to be taken back.
  readonly #since: Int32Array;
  readonly #sending: Int32Array;
  readonly #attention: Int32Array;
  readonly #states: Int32Array;
  #begin = 2;
  /** The largest time since then. */
  #largest = 0;
  // Whoever is found, front after front: in F, with messages that differ, in A or S.
  readonly #found = new IntQueue();
  readonly #senders = new IntQueue();
  readonly #needed = new IntQueue();

  constructor({ nodeCount, into, outOf }: Adjacency, kind: PlanKind) {
    this.#into = into;
    this.#outOf = outOf;
    this.#kind = kind;
    this.#throughSiblings = !kind.flow && kind.reads === 'siblings';
    const none = (): Int32Array => new Int32Array(nodeCount);
    [this.#since, this.#sending, this.#attention, this.#states] = [none(), none(), none(), none()];
  }

  find(example: ConeExample): ExampleCone {
    const { source, destination, lossOnly, steps, kept } = example;
    const { flow } = this.#kind;
    /** The destination, where the loss alone is asked for. */
    const end = lossOnly && flow ? destination : undefined;
    this.#forget(steps);
    // Of the last two fronts the loss reads little: what it does is found from the destination.
    this.#forwards(example, end !== undefined && !kept ? Math.max(steps - 2, 0) : steps);
    const inCone = end === undefined ? this.#found : this.#needed;
    if (end === undefined) {
      for (let k = 0; k < inCone.count; k++) {
        this.#attention[inCone.values[k]] = this.#states[inCone.values[k]] = this.#begin + steps;
      }
    } else {
      if (!kept) {
        this.#lookBackAll(this.#into, end, steps - 1);
        this.#lookBack(end, steps - 1);
        this.#lookBack(end, steps);
      }
      this.#backwards(end, steps, kept !== undefined);
    }
    // The ends are in it, whether or not one leads to the other.
    inCone.push(source);
    if (this.#attention[source] < this.#begin) this.#attention[source] = this.#begin;
    if (flow && destination !== undefined && this.#since[destination] < this.#begin) {
      inCone.push(destination);
      this.#since[destination] = this.#attention[destination] = this.#begin + steps;
    }
    const lists = this.#listsOf(inCone, [this.#since, this.#attention, this.#states]);
    const cone: ExampleCone = { nodes: lists[0], since: lists[1], attention: lists[2], states: lists[3] };
    if (!kept && !this.#throughSiblings) return cone;
    const [nodes, since] = this.#listsOf(this.#senders, [this.#sending]);
    return { ...cone, ...(kept && { kept }), ...(this.#throughSiblings && { senders: { nodes, since } }) };
  }

  #forget(steps: number): void {
    this.#begin += this.#largest + 2;
    this.#largest = steps;
    if (this.#begin + steps < 2 ** 31) return;
    for (const times of [this.#since, this.#sending, this.#attention, this.#states]) times.fill(0);
    this.#begin = 2;
  }

  /** Gives a node a time, if it has none. */
  #add(queue: IntQueue, node: number, times: Int32Array, time: number): void {
    if (times[node] >= this.#begin) return;
    times[node] = this.#begin + time;
    queue.push(node);
  }

  /** Does so with every neighbour of a node. */
  #addAll(
    queue: IntQueue,
    { offsets, ends }: Neighbours,
    node: number,
    times: Int32Array,
    time: number,
  ): void {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) this.#add(queue, ends[i], times, time);
  }

  /** Does so with those neighbours that are in F at the time. Most are not, so that one table alone is read of them. */
  #addNeeded({ offsets, ends }: Neighbours, node: number, times: Int32Array, time: number): void {
    const since = this.#since;
    const begin = this.#begin;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      const from = since[ends[i]];
      if (from >= begin && from <= begin + time) this.#add(this.#needed, ends[i], times, time);
    }
  }

  /** Finds F of t = 0 … last. */
  #forwards({ source, kept }: ConeExample, last: number): void {
    const found = this.#found;
    const senders = this.#senders;
    const outOf = this.#outOf;
    const since = this.#since;
    const sending = this.#sending;
    found.count = senders.count = 0;
    this.#add(found, source, since, 0);
    for (let t = 0, first = 0; t < last && (kept || first < found.count); t++) {
      const end = found.count;
      if (kept) {
        const { senders: leaving, edges } = kept[t];
        if (edges) for (const e of edges) this.#add(found, outOf.ends[e], since, t + 1);
        else for (const node of leaving) this.#addAll(found, outOf, node, since, t + 1);
      } else if (this.#throughSiblings) {
        const before = senders.count;
        for (let k = first; k < end; k++) this.#add(senders, found.values[k], sending, t);
        for (let k = first; k < end; k++) this.#addAll(senders, this.#into, found.values[k], sending, t);
        for (let k = before; k < senders.count; k++) {
          this.#addAll(found, outOf, senders.values[k], since, t + 1);
        }
      } else {
        for (let k = first; k < end; k++) this.#addAll(found, outOf, found.values[k], since, t + 1);
      }
      first = end;
    }
  }

  /** Finds out whether `node` comes into F at t, given who is in it before. */
  #lookBack(node: number, t: number): void {
    const since = this.#since;
    const begin = this.#begin;
    // Whoever was looked at in vain at T − 1 is not looked at again.
    const inVain = begin - 1;
    if (since[node] >= begin || (since[node] === inVain && t < this.#largest)) return;
    since[node] = inVain;
    const { offsets, ends } = this.#into;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      const before = since[ends[i]];
      if (before < begin || before >= begin + t) continue;
      since[node] = begin + t;
      return;
    }
  }

  /** Does so with every neighbour of a node. */
  #lookBackAll({ offsets, ends }: Neighbours, node: number, t: number): void {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) this.#lookBack(ends[i], t);
  }

  /** Finds A and S of the loss. */
  #backwards(destination: number, steps: number, isCut: boolean): void {
    const { acts, global } = this.#kind;
    const found = this.#found;
    const needed = this.#needed;
    const since = this.#since;
    const begin = this.#begin;
    const attention = this.#attention;
    const states = this.#states;
    needed.count = 0;
    if (since[destination] < begin) return;
    this.#add(needed, destination, attention, steps);
    for (let t = steps - 1, first = 0; t >= 0; t--) {
      if (global && t <= steps - 3) {
        for (let k = 0; k < found.count; k++) {
          if (since[found.values[k]] <= begin + t) this.#add(needed, found.values[k], attention, t);
        }
        return;
      }
      const end = needed.count;
      // At T − 1 the transition of the destination itself is needed for the first time.
      if (t === steps - 1 && since[destination] <= begin + t) needed.push(destination);
      for (let k = first; k < end; k++) this.#addNeeded(this.#into, needed.values[k], attention, t);
      const leaving = acts ? needed.count : end;
      if (t === steps - 1 && !isCut) {
        for (let k = end; k < leaving; k++) this.#lookBackAll(this.#outOf, needed.values[k], t);
      }
      // Who leads to these is looked at in any case, so that they need not come in twice.
      for (let k = end; k < leaving; k++) {
        if (states[needed.values[k]] < begin) states[needed.values[k]] = begin + t;
      }
      for (let k = end; k < leaving; k++) this.#addNeeded(this.#outOf, needed.values[k], states, t);
      first = end;
    }
  }

  /** What is in a queue, ascending, with some of its times. */
  #listsOf({ values, count }: IntQueue, times: readonly Int32Array[]): Int32Array[] {
    const distinct = ascending(values.subarray(0, count));
    const lists = sideBySide(distinct.length, 1 + times.length);
    lists[0].set(distinct);
    for (let list = 1; list < lists.length; list++) {
      const of = times[list - 1];
      for (let k = 0; k < distinct.length; k++) lists[list][k] = Math.max(of[distinct[k]] - this.#begin, -1);
    }
    return lists;
  }
}
