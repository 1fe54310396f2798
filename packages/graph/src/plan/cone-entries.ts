/** Attention entries of a cone plan, time by time. */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { createScratch } from './int-scratch.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanEntries } from './plan.ts';
import type { HopTable } from './reach.ts';

/** A table [nodes] for each example. */
export type PerExample = readonly HopTable[];

/**
 * The (example, node) pairs that can have attention, and need it, at some time: pair k at times
 * from[k] … until[k]. Pairs are numbered example · nodeCount + node and come in this order.
 */
export interface ConePairs {
  readonly pairs: Int32Array;
  readonly from: Int32Array;
  readonly until: Int32Array;
}

/**
 * Finds the pairs with arrival ≤ t and need ≤ steps − t for some t in `earliest` … steps. Nodes without an arrival, or
 * without a need, have a number that is larger than that of steps. The result is valid until the next call.
 */
export function conePairFinder(
  steps: number,
  earliest = 0,
): (arrivals: PerExample, needs: PerExample | undefined) => ConePairs {
  const scratch = createScratch('pairs', 'from', 'until');
  return (arrivals, needs) => {
    const nodeCount = arrivals[0].length;
    const { pairs, from, until } = scratch(arrivals.length * nodeCount);
    let count = 0;
    for (let example = 0; example < arrivals.length; example++) {
      const arrival = arrivals[example];
      const need = needs?.[example];
      for (let node = 0; node < nodeCount; node++) {
        const first = arrival[node] > earliest ? arrival[node] : earliest;
        const last = need ? steps - need[node] : steps;
        if (first > last) continue;
        pairs[count] = example * nodeCount + node;
        from[count] = first;
        until[count++] = last;
      }
    }
    return {
      pairs: pairs.subarray(0, count),
      from: from.subarray(0, count),
      until: until.subarray(0, count),
    };
  };
}

/** The entries at one time, on the host. */
export interface EntryTable {
  readonly examples: number;
  readonly count: number;
  /** Entry → pair. */
  readonly pairs: Int32Array;
  /** Pair → entry, −1 for none. It lies in the room that the table was made in, and ends when that is given again. */
  readonly entryOf: Int32Array;
}

/** Room for one table at a time. Its owner says, by giving it again, that the table in it is not needed any more. */
export type EntryRoom = ReturnType<typeof createEntryRoom>;
export const createEntryRoom = () => createScratch('entryOf', 'found');

/**
 * Makes the entries at t in `room`: the pairs of the cone. All sources are among them at the
 * beginning and all destinations at the end, whether or not attention can reach them.
 */
export function entryTables(
  nodeCount: number,
  steps: number,
): (t: number, cone: ConePairs, batch: CheckedBatch, room: EntryRoom) => EntryTable {
  return (t, cone, { sources, destinations }, room) => {
    const examples = sources.length;
    const { entryOf, found } = room(examples * nodeCount);
    entryOf.fill(-1);
    const { pairs, from, until } = cone;
    let count = 0;
    for (let k = 0; k < pairs.length; k++) {
      if (t < from[k] || t > until[k]) continue;
      entryOf[pairs[k]] = count;
      found[count++] = pairs[k];
    }
    (t === 0 ? sources : t === steps ? destinations : undefined)?.forEach((node, example) => {
      const pair = example * nodeCount + node;
      if (entryOf[pair] >= 0) return;
      entryOf[pair] = count;
      found[count++] = pair;
    });
    return { examples, count, pairs: found.slice(0, count), entryOf };
  };
}

export function planEntries({ count, pairs, entryOf }: EntryTable): PlanEntries {
  return { count, outputs: deferredIndex(() => pairs, entryOf.length) };
}

/** Example → what `ofPair` has for its node: one of `rows` rows or entries. */
export function indexOfNodes(ofPair: Int32Array, nodes: Int32Array, rows: number): RowIndex {
  const nodeCount = ofPair.length / nodes.length;
  return rowIndex(
    nodes.map((node, example) => ofPair[example * nodeCount + node]),
    rows,
  );
}
