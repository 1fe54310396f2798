/** State rows of a cone plan: the background, one row per node, then the rows that examples have of their own. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConePairs } from './cone-entries.ts';
import type { PlanRows } from './plan.ts';

/** The rows at one time, on the host. */
export interface RowTable {
  readonly count: number;
  /** Row → node. */
  readonly nodes: Int32Array;
  /** Row → pair example · nodeCount + node; −1 in the background. */
  readonly pairs: Int32Array;
  /** Pair → row: its own if it has one, else its node's in the background. */
  readonly rowOf: Int32Array;
}

/** The rows at t. `from` − 1 times before, a pair has the background's state. */
export function rowsAt(t: number, cone: ConePairs, examples: number, nodeCount: number): RowTable {
  const rowOf = new Int32Array(examples * nodeCount);
  const nodes = new Int32Array(nodeCount + cone.pairs.length);
  const pairs = new Int32Array(nodes.length).fill(-1);
  for (let node = 0; node < nodeCount; node++) nodes[node] = node;
  for (let example = 0; example < examples; example++) {
    rowOf.set(nodes.subarray(0, nodeCount), example * nodeCount);
  }
  let count = nodeCount;
  for (let k = 0; k < cone.pairs.length; k++) {
    if (t < cone.from[k] || t > cone.until[k]) continue;
    const pair = cone.pairs[k];
    nodes[count] = pair % nodeCount;
    pairs[count] = pair;
    rowOf[pair] = count++;
  }
  return { count, nodes: nodes.subarray(0, count), pairs: pairs.subarray(0, count), rowOf };
}

export function planRows({ count, nodes }: RowTable, nodeCount: number): PlanRows {
  return { count, nodes: rowIndex(nodes, nodeCount) };
}

/** Row of `after` → the row of `before` that has its state. */
export function carried(before: RowTable, after: RowTable): RowIndex {
  const ids = new Int32Array(after.count);
  for (let row = 0; row < ids.length; row++) {
    const pair = after.pairs[row];
    ids[row] = pair < 0 ? after.nodes[row] : before.rowOf[pair];
  }
  return rowIndex(ids, before.count);
}
