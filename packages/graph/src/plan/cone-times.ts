/** What the cones of a batch have at one time. */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ExampleCone } from './example-cone.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { PlanEntries } from './plan.ts';

/** At t = 0 … T: how many nodes of all cones are in A, or in S, then; of S from t = 1 on. */
export function countSpans(
  cones: readonly ExampleCone[],
  steps: number,
  of: 'attention' | 'states',
): Int32Array {
  const counts = new Int32Array(steps + 2);
  const first = of === 'states' ? 1 : 0;
  for (const { since, [of]: last } of cones) {
    for (let k = 0; k < since.length; k++) {
      const from = since[k] > first ? since[k] : first;
      if (from > last[k]) continue;
      counts[from] += 1;
      counts[last[k] + 1] -= 1;
    }
  }
  for (let t = 1; t <= steps; t++) counts[t] += counts[t - 1];
  return counts.subarray(0, steps + 1);
}

/** How many edges leave the entries of t whose attention is carried on. */
export function fanSize(cones: readonly ExampleCone[], t: number, { offsets }: OutgoingEdges): number {
  let edges = 0;
  for (const { nodes, since, attention, kept } of cones) {
    for (let k = 0; k < nodes.length; k++) {
      if (t < since[k] || t > attention[k] || (kept && !kept[t].senders.has(nodes[k]))) continue;
      edges += offsets[nodes[k] + 1] - offsets[nodes[k]];
    }
  }
  return edges;
}

/** Calls `visit` for each entry at t, in order. */
function eachEntry(
  cones: readonly ExampleCone[],
  t: number,
  visit: (example: number, node: number) => unknown,
): void {
  cones.forEach(({ nodes, since, attention }, example) => {
    for (let k = 0; k < nodes.length; k++) {
      if (t >= since[k] && t <= attention[k]) visit(example, nodes[k]);
    }
  });
}

/** The entries at t: their number, and which pair each is. */
export function entriesAt(
  t: number,
  cones: readonly ExampleCone[],
  { count, nodeCount }: { readonly count: number; readonly nodeCount: number },
): PlanEntries {
  const pairs = (): Int32Array => {
    const result = new Int32Array(count);
    let entry = 0;
    eachEntry(cones, t, (example, node) => (result[entry++] = example * nodeCount + node));
    return result;
  };
  return { count, outputs: deferredIndex(pairs, cones.length * nodeCount) };
}

/** Example → the entry at t of its node among `nodes`. */
export function entriesOf(cones: readonly ExampleCone[], nodes: Int32Array, t: number): RowIndex {
  const found = new Int32Array(nodes.length);
  let entry = 0;
  eachEntry(cones, t, (example, node) => {
    if (node === nodes[example]) found[example] = entry;
    entry += 1;
  });
  return rowIndex(found, entry);
}

/** The edges that leave the entries of t whose attention is carried on, side by side, as example · edgeCount + edge of the graph. */
export function fanOutputs(
  cones: readonly ExampleCone[],
  t: number,
  { offsets, edges }: OutgoingEdges,
): RowIndex {
  const edgeCount = edges.length;
  const outputs = (): number[] => {
    const result: number[] = [];
    eachEntry(cones, t, (example, node) => {
      const { kept } = cones[example];
      if (kept && !kept[t].senders.has(node)) return;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) result.push(example * edgeCount + edges[e]);
    });
    return result;
  };
  return deferredIndex(outputs, cones.length * edgeCount);
}
