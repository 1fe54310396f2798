/**
 * Cone plans of regular networks. A state is an example's own once the source's mark can have reached it; all nodes are
 * read at the end, so that nothing can be left out for the loss.
 */
import { rowIndex } from '@flowgrad/tensor';
import { conePairFinder, indexOfNodes } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { endStepBuilder, siblingStepBuilder } from './marked-steps.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { MarkParts, MarkStep, PlanRows } from './plan.ts';
import { createRowRoom, planRows, rowTables } from './state-rows.ts';

export function markedCone(context: ConeContext): (batch: CheckedBatch) => MarkParts {
  const { graph, steps, reach, kind } = context;
  const { nodeCount } = graph;
  const readsSiblings = kind.reads === 'siblings';
  const pairsOf = conePairFinder(steps);
  const rowsAt = rowTables(nodeCount);
  // A step needs the tables at both of its ends, so two rooms take turns.
  const rooms = [createRowRoom(), createRowRoom()];
  const stepBetween = readsSiblings ? siblingStepBuilder(context) : endStepBuilder(context);
  return ({ sources, destinations }) => {
    const arrivals = Array.from(sources, readsSiblings ? reach.fromThroughSiblings : reach.from);
    const cone = pairsOf(arrivals, undefined);
    let table = rowsAt(0, cone, sources.length, rooms[0]);
    const starts = indexOfNodes(table.rowOf, sources, table.count);
    const planned: { rows: PlanRows[]; steps: MarkStep[] } = {
      rows: [planRows(table, nodeCount)],
      steps: [],
    };
    // After this time no pair gets a row of its own any more: rows and steps stay as they are.
    const settled = cone.from.reduce((latest, from) => Math.max(latest, from), 0);
    for (let t = 0; t < steps; t++) {
      if (t > settled) {
        planned.rows.push(planned.rows[t]);
        planned.steps.push(planned.steps[t - 1]);
        continue;
      }
      const after = rowsAt(t + 1, cone, sources.length, rooms[(t + 1) % 2]);
      planned.rows.push(planRows(after, nodeCount));
      planned.steps.push(stepBetween(table, after));
      table = after;
    }
    return {
      ...planned,
      sources: starts,
      outputs: rowIndex(table.rowOf, table.count),
      ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
    };
  };
}
