/** Attention entries of a cone plan, time by time. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { UNREACHABLE } from '../hop-distances.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanEntries } from './plan.ts';

/** [nodes] for each example. */
export type PerExample = readonly Int32Array[];

/**
 * The (example, node) pairs that can have attention, and need it, at some time: pair k at times
 * from[k] … until[k]. Pairs are numbered example · nodeCount + node and come in this order.
 */
export interface ConePairs {
  readonly pairs: Int32Array;
  readonly from: Int32Array;
  readonly until: Int32Array;
}

/** Pairs with arrival ≤ t and need ≤ steps − t for some t in 0 … steps. */
export function conePairs(steps: number, arrivals: PerExample, needs: PerExample | undefined): ConePairs {
  const nodeCount = arrivals[0].length;
  const inCone = (example: number, node: number): boolean => {
    const arrival = arrivals[example][node];
    return arrival !== UNREACHABLE && arrival + (needs?.[example][node] ?? 0) <= steps;
  };
  let count = 0;
  for (let example = 0; example < arrivals.length; example++) {
    for (let node = 0; node < nodeCount; node++) if (inCone(example, node)) count += 1;
  }
  const [pairs, from, until] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let k = 0;
  for (let example = 0; example < arrivals.length; example++) {
    for (let node = 0; node < nodeCount; node++) {
      if (!inCone(example, node)) continue;
      pairs[k] = example * nodeCount + node;
      from[k] = arrivals[example][node];
      until[k++] = steps - (needs?.[example][node] ?? 0);
    }
  }
  return { pairs, from, until };
}

/** The entries at one time, on the host. */
export interface EntryTable {
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
  const entryOf = new Int32Array(sources.length * nodeCount).fill(-1);
  const found = new Int32Array(cone.pairs.length + sources.length);
  let count = 0;
  const add = (pair: number): void => {
    if (entryOf[pair] >= 0) return;
    entryOf[pair] = count;
    found[count++] = pair;
  };
  for (let k = 0; k < cone.pairs.length; k++) {
    if (cone.from[k] <= t && t <= cone.until[k]) add(cone.pairs[k]);
  }
  const always = t === 0 ? sources : t === steps ? destinations : undefined;
  always?.forEach((node, example) => {
    add(example * nodeCount + node);
  });
  return { count, pairs: found.subarray(0, count), entryOf };
}

export function planEntries({ count, pairs, entryOf }: EntryTable): PlanEntries {
  return { count, outputs: rowIndex(pairs, entryOf.length) };
}

/** Example → the entry of its node. */
export function entriesOfNodes({ count, entryOf }: EntryTable, nodes: Int32Array): RowIndex {
  const nodeCount = entryOf.length / nodes.length;
  return rowIndex(
    nodes.map((node, example) => entryOf[example * nodeCount + node]),
    count,
  );
}
