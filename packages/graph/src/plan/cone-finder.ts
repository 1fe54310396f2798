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
 */
import { fetchNeighbours } from './adjacency.ts';
import type { Adjacency, Neighbours } from './adjacency.ts';
import type { ConeExample, ExampleCone } from './example-cone.ts';
import { IntQueue, sideBySide } from './int-room.ts';
import { NodeTable } from './node-table.ts';
import type { PlanKind } from './plan-kind.ts';
import { ascending } from './typed-ids.ts';

/** Finds the cone of an example, and remembers nothing. */
export function coneFinder(adjacency: Adjacency, kind: PlanKind): (example: ConeExample) => ExampleCone {
  const finder = new ConeFinder(adjacency, kind);
  return (example) => finder.find(example);
}

// What is known of a node, each as one more than a time, 0 for none: from when on it is in F, until when it is in A, and in S.
const [since, attention, states] = [0, 1, 2];
/** The value of `since` for a node that was looked at and is not in F. */
const inVain = -1;

class ConeFinder {
  readonly #into: Neighbours;
  readonly #outOf: Neighbours;
  readonly #kind: PlanKind;
  readonly #throughSiblings: boolean;
  readonly #known: NodeTable;
  /** From when on its messages differ, in the same way. */
  readonly #sending: NodeTable;
  // Whoever is found, front after front: in F, with messages that differ, in A or S.
  readonly #found = new IntQueue();
  readonly #senders = new IntQueue();
  readonly #needed = new IntQueue();
  /** How many are in F at t = 0, 1, …: the first of those that were found. */
  readonly #fronts = new IntQueue();

  constructor({ nodeCount, into, outOf }: Adjacency, kind: PlanKind) {
    this.#into = into;
    this.#outOf = outOf;
    this.#kind = kind;
    this.#throughSiblings = !kind.flow && kind.reads === 'siblings';
    this.#known = new NodeTable(nodeCount);
    this.#sending = new NodeTable(nodeCount);
  }

  find(example: ConeExample): ExampleCone {
    const { source, destination, lossOnly, steps } = example;
    const { flow } = this.#kind;
    const known = this.#known;
    /** The destination, where the loss alone is asked for. */
    const end = lossOnly && flow ? destination : undefined;
    known.clear();
    // Of the last fronts the loss reads little: what it does is found from the destination.
    this.#forwards(source, end === undefined ? steps : Math.max(steps - 2, 0));
    const inCone = end === undefined ? this.#found : this.#needed;
    if (end === undefined) {
      for (let k = 0; k < inCone.count; k++) {
        const at = known.find(inCone.values[k]);
        known.values[at + attention] = known.values[at + states] = 1 + steps;
      }
    } else {
      this.#lookBackAll(this.#into, end, steps - 1, steps);
      this.#lookBack(end, steps - 1, steps);
      this.#lookBack(end, steps, steps);
      this.#backwards(example, end);
    }
    // The ends are in it, whether or not one leads to the other.
    this.#add(inCone, known, source, attention, 0);
    inCone.push(source);
    if (flow && destination !== undefined && !this.#isReached(destination)) {
      const at = known.add(destination);
      known.values[at + since] = known.values[at + attention] = 1 + steps;
      inCone.push(destination);
    }
    const lists = this.#listsOf(inCone, known, [since, attention, states]);
    const cone: ExampleCone = { nodes: lists[0], since: lists[1], attention: lists[2], states: lists[3] };
    if (!this.#throughSiblings) return cone;
    const senders = this.#listsOf(this.#senders, this.#sending, [since]);
    return { ...cone, senders: { nodes: senders[0], since: senders[1] } };
  }

  /** Whether a node is in F at some time, as far as that is known. */
  #isReached(node: number): boolean {
    const at = this.#known.find(node);
    return at > 0 && this.#known.values[at + since] > 0;
  }

  /** Gives a node a time, if it has none. */
  #add(queue: IntQueue, times: NodeTable, node: number, which: number, time: number): void {
    const at = times.add(node) + which;
    if (times.values[at] > 0) return;
    times.values[at] = 1 + time;
    queue.push(node);
  }

  /** Gives every neighbour of a node this time as `since`, if it has none. */
  #addAll(
    queue: IntQueue,
    times: NodeTable,
    { offsets, ends }: Neighbours,
    node: number,
    time: number,
  ): void {
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) this.#add(queue, times, ends[i], since, time);
  }

  /** Gives the neighbours that are in F by then this time for A or S, if they have none. */
  #addNeeded({ offsets, ends }: Neighbours, node: number, which: number, time: number): void {
    const known = this.#known;
    const { values } = known;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      const at = known.find(ends[i]);
      if (at === 0 || values[at + since] <= 0 || values[at + since] > 1 + time) continue;
      if (values[at + which] > 0) continue;
      values[at + which] = 1 + time;
      this.#needed.push(ends[i]);
    }
  }

  /** Finds F of t = 0 … last. */
  #forwards(source: number, last: number): void {
    const found = this.#found;
    const senders = this.#senders;
    const known = this.#known;
    const sending = this.#sending;
    const outOf = this.#outOf;
    found.count = senders.count = this.#fronts.count = 0;
    if (this.#throughSiblings) sending.clear();
    this.#add(found, known, source, since, 0);
    this.#fronts.push(1);
    for (let t = 0, first = 0; t < last && first < found.count; t++) {
      const end = found.count;
      if (this.#throughSiblings) {
        const before = senders.count;
        for (let k = first; k < end; k++) this.#add(senders, sending, found.values[k], since, t);
        for (let k = first; k < end; k++) this.#addAll(senders, sending, this.#into, found.values[k], t);
        for (let k = before; k < senders.count; k++) {
          this.#addAll(found, known, outOf, senders.values[k], t + 1);
        }
      } else {
        this.#goOn(first, end, t + 1);
      }
      this.#fronts.push(found.count);
      first = end;
    }
  }

  /** Finds whom those lead to that were found first … last − 1. */
  #goOn(first: number, last: number, t: number): void {
    const found = this.#found;
    fetchNeighbours(this.#outOf, found.values, first, last);
    for (let k = first; k < last; k++) this.#addAll(found, this.#known, this.#outOf, found.values[k], t);
  }

  /** Finds out whether `node` comes into F at t, given who is in it before. */
  #lookBack(node: number, t: number, steps: number): void {
    const known = this.#known;
    const { offsets, ends } = this.#into;
    const own = known.add(node) + since;
    const { values } = known;
    // Whoever was looked at in vain at T − 1 is not looked at again.
    if (values[own] > 0 || (values[own] === inVain && t < steps)) return;
    values[own] = inVain;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      const at = known.find(ends[i]);
      if (at === 0 || values[at + since] <= 0 || values[at + since] > t) continue;
      values[own] = 1 + t;
      return;
    }
  }

  /** Does so with every neighbour of a node. */
  #lookBackAll({ offsets, ends }: Neighbours, node: number, t: number, steps: number): void {
    const end = offsets[node + 1];
    fetchNeighbours(this.#into, ends, offsets[node], end);
    for (let i = offsets[node]; i < end; i++) this.#lookBack(ends[i], t, steps);
  }

  /** Finds A and S of the loss. */
  #backwards(example: ConeExample, destination: number): void {
    const { source, steps } = example;
    const { acts, global } = this.#kind;
    const found = this.#found;
    const needed = this.#needed;
    const known = this.#known;
    needed.count = 0;
    if (!this.#isReached(destination)) return;
    this.#add(needed, known, destination, attention, steps);
    // Of t = 0 there is the source alone, and whoever is reached was reached from there.
    for (let t = steps - 1, first = 0; t > 0; t--) {
      if (global && t <= steps - 3) {
        for (let k = 0; k < found.count; k++) {
          if (known.values[known.find(found.values[k]) + since] > 1 + t) break;
          this.#add(needed, known, found.values[k], attention, t);
        }
        return;
      }
      const end = needed.count;
      // Where F has fewer nodes than were needed last, it is cheaper to see which of its nodes lead to a needed one.
      if (t < this.#fronts.count && this.#fronts.values[t] < end - first) this.#addFromFront(t);
      else this.#addBehind(first, t, example, destination);
      first = end;
    }
    this.#add(needed, known, source, attention, 0);
    if (acts) this.#add(needed, known, source, states, 0);
  }

  /** Adds A and S of t, going back from who was needed last. */
  #addBehind(first: number, t: number, { steps }: ConeExample, destination: number): void {
    const needed = this.#needed;
    const known = this.#known;
    const end = needed.count;
    // At T − 1 the transition of the destination itself is needed for the first time.
    if (t === steps - 1 && known.values[known.find(destination) + since] <= 1 + t) needed.push(destination);
    fetchNeighbours(this.#into, needed.values, first, end);
    for (let k = first; k < end; k++) this.#addNeeded(this.#into, needed.values[k], attention, t);
    const leaving = this.#kind.acts ? needed.count : end;
    if (t === steps - 1) this.#reach(end, leaving, t, steps);
    // These nodes have just come into A, and are among the needed. They get their time in S without being added again.
    for (let k = end; k < leaving; k++) {
      const at = known.find(needed.values[k]) + states;
      if (known.values[at] === 0) known.values[at] = 1 + t;
    }
    fetchNeighbours(this.#outOf, needed.values, end, leaving);
    for (let k = end; k < leaving; k++) this.#addNeeded(this.#outOf, needed.values[k], states, t);
  }

  /** Of the receivers of some needed nodes, finds those that come into F at t: back from the receivers, or on from the last front, if that has fewer edges. */
  #reach(first: number, last: number, t: number, steps: number): void {
    const { offsets } = this.#outOf;
    const edgesOf = (nodes: Int32Array, from: number, to: number): number => {
      let count = 0;
      for (let k = from; k < to; k++) count += offsets[nodes[k] + 1] - offsets[nodes[k]];
      return count;
    };
    const { values, count } = this.#found;
    const before = t > 1 ? this.#fronts.values[t - 2] : 0;
    if (edgesOf(values, before, count) < edgesOf(this.#needed.values, first, last)) {
      this.#goOn(before, count, t);
    } else {
      for (let k = first; k < last; k++) this.#lookBackAll(this.#outOf, this.#needed.values[k], t, steps);
    }
  }

  /** Adds A and S of t by going through F: a node is added if it leads to a needed one. */
  #addFromFront(t: number): void {
    const found = this.#found.values;
    const count = this.#fronts.values[t];
    const known = this.#known;
    const { values } = known;
    for (let k = 0; k < count; k++) {
      const at = known.find(found[k]);
      if (values[at + attention] > 0 || !this.#hasNeighbour(this.#outOf, found[k], 2 + t, true)) continue;
      values[at + attention] = 1 + t;
      this.#needed.push(found[k]);
    }
    if (!this.#kind.acts) return;
    for (let k = 0; k < count; k++) {
      const at = known.find(found[k]);
      if (values[at + states] > 0) continue;
      const isNew = values[at + attention] === 1 + t;
      if (values[at + attention] <= t && !this.#hasNeighbour(this.#into, found[k], 1 + t, false)) continue;
      values[at + states] = 1 + t;
      if (!isNew) this.#needed.push(found[k]);
    }
  }

  /** Whether a neighbour is in A, or in S if it may be, until a time or later. */
  #hasNeighbour({ offsets, ends }: Neighbours, node: number, time: number, orInS: boolean): boolean {
    const known = this.#known;
    const { values } = known;
    const end = offsets[node + 1];
    for (let i = offsets[node]; i < end; i++) {
      const at = known.find(ends[i]);
      if (at > 0 && (values[at + attention] >= time || (orInS && values[at + states] >= time))) return true;
    }
    return false;
  }

  /** What is in a queue, ascending, with some of its times. */
  #listsOf({ values, count }: IntQueue, times: NodeTable, which: readonly number[]): Int32Array[] {
    const distinct = ascending(values.subarray(0, count));
    const lists = sideBySide(distinct.length, 1 + which.length);
    lists[0].set(distinct);
    for (let k = 0; k < distinct.length; k++) {
      const at = times.find(distinct[k]);
      for (let list = 0; list < which.length; list++) {
        lists[1 + list][k] = Math.max(times.values[at + which[list]] - 1, -1);
      }
    }
    return lists;
  }
}
