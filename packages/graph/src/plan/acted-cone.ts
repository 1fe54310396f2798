/**
 * Cone plans of models in which attention acts on messages. A state is an example's own once attention can have acted
 * on a message into it; every other message has attention 0, and what acting makes of those does not depend on the
 * message, so that it is enough to count them.
 */
import { actedStepBuilder } from './acted-step.ts';
import { conePairs, entriesAt, entriesOfNodes, planEntries } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan } from './plan.ts';
import { planRows, rowsAt } from './state-rows.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

export function actedCone(context: ConeContext): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach } = context;
  const { nodeCount } = graph;
  const stepBetween = actedStepBuilder(context);
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const examples = sources.length;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.needsOf) : undefined;
    const attention = conePairs(
      steps,
      arrivals,
      needs?.map((need) => need.attention),
    );
    // At t = 0 nothing has acted yet; at T nothing reads a state.
    const states = conePairs(
      steps,
      arrivals,
      needs?.map((need) => need.states),
      1,
    );
    const entries = Array.from({ length: steps + 1 }, (_, t) =>
      entriesAt(t, steps, attention, batch, nodeCount),
    );
    const rows = Array.from({ length: steps }, (_, t) => rowsAt(t, states, examples, nodeCount));
    return {
      rows: rows.map((table) => planRows(table, nodeCount)),
      steps: rows.map((table, t) =>
        stepBetween({ now: entries[t], next: entries[t + 1], rows: table, rowsAfter: rows[t + 1] }),
      ),
      flow: {
        entries: entries.map(planEntries),
        sources: entriesOfNodes(entries[0], sources),
        ...(destinations && { targets: entriesOfNodes(entries[steps], destinations) }),
      },
    };
  };
}
