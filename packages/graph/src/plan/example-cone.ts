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
const since = 0;
const sending = 1;
const attention = 2;
const states = 3;

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
  // Those of a node lie side by side, as they are read together. Times are stored above `begin`, which rises from example to
  // example: what was there before counts as none, and nothing has to be taken back.
  readonly #times: Int32Array;
  #begin = 1;
  /** The largest time since then. */
  #largest = 0;
  // Of those in F, where the loss alone is asked for: 1 by T − 2, 2 from T − 1 on, 3 from T on; 0 for others. Many are looked up
  // of whom few are found, so that the table is small; it is 0 between examples.
  readonly #fronts: Uint8Array;
  // Whoever is found, front after front: in F, with messages that differ, in A or S.
  readonly #found = new IntQueue();
  readonly #senders = new IntQueue();
  readonly #needed = new IntQueue();

  constructor({ nodeCount, into, outOf }: Adjacency, kind: PlanKind) {
    this.#into = into;
    this.#outOf = outOf;
    this.#kind = kind;
    this.#throughSiblings = !kind.flow && kind.reads === 'siblings';
    this.#times = new Int32Array(4 * nodeCount);
    this.#fronts = new Uint8Array(nodeCount);
  }

  find(example: ConeExample): ExampleCone {
    const { source, destination, lossOnly, steps, kept } = example;
    const { flow } = this.#kind;
    const into = this.#into;
    const narrow = lossOnly && flow ? { ...example, destination: destination! } : undefined;
    this.#forget(steps);
    // Of the last two fronts the loss reads little: what it does is found from the destination.
    this.#forwards(example, narrow && !kept ? Math.max(steps - 2, 0) : steps);
    if (narrow && !kept) {
      this.#setFronts(steps > 1 ? 1 : 2);
      this.#lookBackAll(into, narrow.destination, steps - 1);
      this.#lookBack(narrow.destination, steps - 1);
      this.#lookBack(narrow.destination, steps);
    }
    if (narrow) this.#backwards(narrow);
    if (narrow && !kept) this.#setFronts(0);
    const inCone = narrow ? this.#needed : this.#found;
    for (let k = 0; !narrow && k < inCone.count; k++) {
      this.#setTime(inCone.values[k], attention, steps);
      this.#setTime(inCone.values[k], states, steps);
    }
    // The ends are in it, whether or not one leads to the other.
    inCone.push(source);
    if (this.#timeOf(source, attention) < 0) this.#setTime(source, attention, 0);
    if (flow && destination !== undefined && this.#timeOf(destination, since) < 0) {
      inCone.push(destination);
      this.#setTime(destination, since, steps);
      this.#setTime(destination, attention, steps);
    }
    const [nodes, ...of] = this.#listsOf(inCone, since, attention, states);
    const cone = { nodes, since: of[0], attention: of[1], states: of[2], ...(kept && { kept }) };
    if (!this.#throughSiblings) return cone;
    const [sendingNodes, sendingSince] = this.#listsOf(this.#senders, sending);
    return { ...cone, senders: { nodes: sendingNodes, since: sendingSince } };
  }

  #forget(steps: number): void {
    this.#begin += this.#largest + 1;
    this.#largest = steps;
    if (this.#begin + steps < 2 ** 31) return;
    this.#times.fill(0);
    this.#begin = 1;
  }

  #timeOf(node: number, which: number): number {
    return Math.max(this.#times[4 * node + which] - this.#begin, -1);
  }

  #setTime(node: number, which: number, time: number): void {
    this.#times[4 * node + which] = this.#begin + time;
  }

  /** Adds a node that has no time yet; to A and S, if it is in F by then. */
  #add(queue: IntQueue, node: number, which: number, time: number): void {
    const times = this.#times;
    const begin = this.#begin;
    const at = 4 * node;
    if (times[at + which] >= begin) return;
    if (which >= attention && (times[at] < begin || times[at] > begin + time)) return;
    times[at + which] = begin + time;
    queue.push(node);
  }

  /** Does so with every neighbour of a node. */
  #addAll(queue: IntQueue, { offsets, ends }: Neighbours, node: number, which: number, time: number): void {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) this.#add(queue, ends[i], which, time);
  }

  /** Finds F of t = 0 … last. */
  #forwards({ source, kept }: ConeExample, last: number): void {
    const found = this.#found;
    const senders = this.#senders;
    const outOf = this.#outOf;
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

  #setFronts(front: number): void {
    const { values, count } = this.#found;
    for (let k = 0; k < count; k++) this.#fronts[values[k]] = front;
  }

  /** Adds `node` to F if it comes in at t, T − 1 or T, given who is in it before. */
  #lookBack(node: number, t: number): void {
    const fronts = this.#fronts;
    if (fronts[node] > 0) return;
    const front = t - this.#largest + 3;
    const { offsets, ends } = this.#into;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      if (fronts[ends[i]] === 0 || fronts[ends[i]] >= front) continue;
      fronts[node] = front;
      this.#add(this.#found, node, since, t);
      return;
    }
  }

  /** Does so with every neighbour of a node. */
  #lookBackAll({ offsets, ends }: Neighbours, node: number, t: number): void {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) this.#lookBack(ends[i], t);
  }

  /** Finds A and S of the loss. */
  #backwards({ destination, steps, kept }: Narrow): void {
    const { acts, global } = this.#kind;
    const found = this.#found;
    const needed = this.#needed;
    const into = this.#into;
    const outOf = this.#outOf;
    needed.count = 0;
    this.#add(needed, destination, attention, steps);
    for (let t = steps - 1, first = 0; t >= 0 && needed.count > 0; t--) {
      if (global && t <= steps - 3) {
        for (let k = 0; k < found.count; k++) this.#add(needed, found.values[k], attention, t);
        return;
      }
      const end = needed.count;
      // At T − 1 the transition of the destination itself is needed for the first time.
      if (t === steps - 1 && this.#timeOf(destination, since) <= t) needed.push(destination);
      for (let k = first; k < end; k++) this.#addAll(needed, into, needed.values[k], attention, t);
      const leaving = acts ? needed.count : end;
      if (t === steps - 1 && !kept) {
        for (let k = end; k < leaving; k++) this.#lookBackAll(outOf, needed.values[k], t);
      }
      // Who leads to these is looked at in any case, so that they need not come in twice.
      for (let k = end; k < leaving; k++) {
        if (this.#timeOf(needed.values[k], states) < 0) this.#setTime(needed.values[k], states, t);
      }
      for (let k = end; k < leaving; k++) this.#addAll(needed, outOf, needed.values[k], states, t);
      first = end;
    }
  }

  /** What is in a queue, ascending, with some of its times. */
  #listsOf({ values, count }: IntQueue, ...which: readonly number[]): Int32Array[] {
    const distinct = ascending(values.subarray(0, count));
    const lists = sideBySide(distinct.length, 1 + which.length);
    lists[0].set(distinct);
    for (let list = 1; list < lists.length; list++) {
      for (let k = 0; k < distinct.length; k++) lists[list][k] = this.#timeOf(distinct[k], which[list - 1]);
    }
    return lists;
  }
}
