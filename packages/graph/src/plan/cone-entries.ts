/** Attention entries of a cone plan, time by time. */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { createScratch } from './int-scratch.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanEntries } from './plan.ts';
import type { HopTable } from './reach.ts';

const scratch = createScratch('pairs', 'from', 'until');

/** [nodes] for each example. */
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
 * Pairs with arrival ≤ t and need ≤ steps − t for some t in `earliest` … steps. Nodes without an arrival, or
 * without a need, have a number larger than any of steps.
 */
export function conePairs(
  steps: number,
  arrivals: PerExample,
  needs: PerExample | undefined,
  earliest = 0,
): ConePairs {
  const nodeCount = arrivals[0].length;
  const { pairs, from, until } = scratch.room(arrivals.length * nodeCount);
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
  return { pairs: pairs.slice(0, count), from: from.slice(0, count), until: until.slice(0, count) };
}

/** The entries at one time, on the host. */
export interface EntryTable {
  readonly examples: number;
  readonly count: number;
  /** Entry → pair. */
  readonly pairs: Int32Array;
  /** Pair → entry, −1 for none. */
  readonly entryOf: Int32Array;
}

/** The entries at t. Destinations have one at the end, whether or not attention can reach them. */
export function entriesAt(
  t: number,
  steps: number,
  cone: ConePairs,
  { sources, destinations }: CheckedBatch,
  nodeCount: number,
): EntryTable {
  const always = t === 0 ? sources : t === steps ? destinations : undefined;
  return entryTable(cone, sources.length, nodeCount, always ? [always] : [], t);
}

/** One table for all times: whoever is in the cone at any, and the ends of every example. */
export function entriesEver(
  cone: ConePairs,
  { sources, destinations }: CheckedBatch,
  nodeCount: number,
): EntryTable {
  return entryTable(cone, sources.length, nodeCount, destinations ? [sources, destinations] : [sources]);
}

/** The pairs of the cone, at `t` if it is given, and the nodes of `always`, a list with one node for each example. */
function entryTable(
  cone: ConePairs,
  examples: number,
  nodeCount: number,
  always: readonly Int32Array[],
  t?: number,
): EntryTable {
  const entryOf = new Int32Array(examples * nodeCount).fill(-1);
  const pairs = new Int32Array(cone.pairs.length + always.length * examples);
  let count = 0;
  for (let k = 0; k < cone.pairs.length; k++) {
    if (t !== undefined && (t < cone.from[k] || t > cone.until[k])) continue;
    entryOf[cone.pairs[k]] = count;
    pairs[count++] = cone.pairs[k];
  }
  for (const nodes of always) {
    for (let example = 0; example < examples; example++) {
      const pair = example * nodeCount + nodes[example];
      if (entryOf[pair] >= 0) continue;
      entryOf[pair] = count;
      pairs[count++] = pair;
    }
  }
  return { examples, count, pairs: pairs.subarray(0, count), entryOf };
}

export function planEntries({ count, pairs, entryOf }: EntryTable): PlanEntries {
  return { count, outputs: deferredIndex(() => pairs, entryOf.length) };
}

/** Example → the entry of its node. */
export function entriesOfNodes({ count, examples, entryOf }: EntryTable, nodes: Int32Array): RowIndex {
  const nodeCount = entryOf.length / examples;
  return rowIndex(
    nodes.map((node, example) => entryOf[example * nodeCount + node]),
    count,
  );
}
