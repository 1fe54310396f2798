/** State rows of a cone plan: the background, one row per node, then the rows that examples have of their own. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConePairs } from './cone-entries.ts';
import { createScratch } from './int-scratch.ts';
import type { PlanRows } from './plan.ts';

/** The rows at one time, on the host. The table lies in the room that it was made in, and ends when that is given again. */
export interface RowTable {
  readonly count: number;
  /** Row → node. */
  readonly nodes: Int32Array;
  /** Row → pair example · nodeCount + node; −1 in the background. */
  readonly pairs: Int32Array;
  /** Pair → row: the pair's own row if it has one, else the row of its node in the background. */
  readonly rowOf: Int32Array;
}

/** Room for one table at a time. Its owner says, by giving it again, that the table in it is not needed any more. */
export type RowRoom = ReturnType<typeof createRowRoom>;
export const createRowRoom = () => createScratch('nodes', 'pairs', 'rowOf');

/**
 * Makes the rows at t in `room`. A pair has a row of its own at the times from … until of the cone;
 * before, its state is that of its node in the background, and afterwards nothing reads it.
 */
export function rowTables(
  nodeCount: number,
): (t: number, cone: ConePairs, examples: number, room: RowRoom) => RowTable {
  return (t, cone, examples, room) => {
    const { nodes, pairs, rowOf } = room((examples + 1) * nodeCount);
    for (let node = 0; node < nodeCount; node++) nodes[node] = node;
    pairs.fill(-1, 0, nodeCount);
    const background = nodes.subarray(0, nodeCount);
    for (let example = 0; example < examples; example++) rowOf.set(background, example * nodeCount);
    let count = nodeCount;
    for (let k = 0; k < cone.pairs.length; k++) {
      if (t < cone.from[k] || t > cone.until[k]) continue;
      const pair = cone.pairs[k];
      nodes[count] = pair % nodeCount;
      pairs[count] = pair;
      rowOf[pair] = count++;
    }
    return {
      count,
      nodes: nodes.subarray(0, count),
      pairs: pairs.subarray(0, count),
      rowOf: rowOf.subarray(0, examples * nodeCount),
    };
  };
}

export function planRows({ count, nodes }: RowTable, nodeCount: number): PlanRows {
  return { count, nodes: rowIndex(nodes, nodeCount) };
}

/** Finds for each row of `after` the row of `before` that has its state. */
export function carrier(): (before: RowTable, after: RowTable) => RowIndex {
  const scratch = createScratch('ids');
  return (before, after) => {
    const { ids } = scratch(after.count);
    for (let row = 0; row < after.count; row++) {
      const pair = after.pairs[row];
      ids[row] = pair < 0 ? after.nodes[row] : before.rowOf[pair];
    }
    return rowIndex(ids.subarray(0, after.count), before.count);
  };
}
