/**
 * Cone plans of models in which attention acts on messages. A state is an example's own once attention can have acted
 * on a message into it; every other message has attention 0, and what acting makes of those does not depend on the
 * message, so that it is enough to count them.
 */
import { actedStepBuilder } from './acted-step.ts';
import { conePairFinder, createEntryRoom, entryTables, indexOfNodes, planEntries } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanRows } from './plan.ts';
import { createRowRoom, planRows, rowTables } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';

export function actedCone(context: ConeContext): (batch: CheckedBatch) => FlowParts {
  const { graph, steps, reach } = context;
  const { nodeCount } = graph;
  const attentionPairs = conePairFinder(steps);
  // At t = 0 nothing has acted yet; at T nothing reads a state.
  const statePairs = conePairFinder(steps, 1);
  const entriesAt = entryTables(nodeCount, steps);
  const rowsAt = rowTables(nodeCount);
  // A step needs the tables at both of its ends, so two rooms take turns.
  const entryRooms = [createEntryRoom(), createEntryRoom()];
  const rowRooms = [createRowRoom(), createRowRoom()];
  const stepBetween = actedStepBuilder(context);
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const examples = sources.length;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.needsOf) : undefined;
    const attention = attentionPairs(
      arrivals,
      needs?.map((need) => need.attention),
    );
    const states = statePairs(
      arrivals,
      needs?.map((need) => need.states),
    );
    let now = entriesAt(0, attention, batch, entryRooms[0]);
    let rows: RowTable | undefined = rowsAt(0, states, examples, rowRooms[0]);
    const starts = indexOfNodes(now.entryOf, sources, now.count);
    const planned: { rows: PlanRows[]; steps: FlowStep[]; entries: PlanEntries[] } = {
      rows: [],
      steps: [],
      entries: [planEntries(now)],
    };
    for (let t = 0; t < steps; t++) {
      const next = entriesAt(t + 1, attention, batch, entryRooms[(t + 1) % 2]);
      const rowsAfter = t + 1 < steps ? rowsAt(t + 1, states, examples, rowRooms[(t + 1) % 2]) : undefined;
      planned.rows.push(planRows(rows!, nodeCount));
      planned.steps.push(stepBetween({ now, next, rows: rows!, rowsAfter }));
      planned.entries.push(planEntries(next));
      now = next;
      rows = rowsAfter;
    }
    return {
      rows: planned.rows,
      steps: planned.steps,
      entries: planned.entries,
      sources: starts,
      ...(destinations && { targets: indexOfNodes(now.entryOf, destinations, now.count) }),
    };
  };
}
