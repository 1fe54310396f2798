/**
 * Cone plans of regular networks. A state is an example's own once the source's mark can have reached it; all nodes are
 * read at the end, so that nothing can be left out for the loss.
 */
import { rowIndex } from '@flowgrad/tensor';
import { conePairs } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { endStepBuilder, siblingStepBuilder } from './marked-steps.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan } from './plan.ts';
import { planRows, rowsAt } from './state-rows.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'marked'>;

export function markedCone(context: ConeContext): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach, kind } = context;
  const { nodeCount } = graph;
  const readsSiblings = kind.messages === 'siblings';
  const stepBetween = readsSiblings ? siblingStepBuilder(context) : endStepBuilder(context);
  return ({ sources, destinations }) => {
    const arrivals = Array.from(sources, readsSiblings ? reach.fromThroughSiblings : reach.from);
    const cone = conePairs(steps, arrivals, undefined);
    const tables = Array.from({ length: steps + 1 }, (_, t) => rowsAt(t, cone, sources.length, nodeCount));
    const last = tables[steps];
    return {
      rows: tables.map((table) => planRows(table, nodeCount)),
      steps: tables.slice(1).map((after, t) => stepBetween(tables[t], after)),
      marked: {
        sources: rowIndex(
          sources.map((node, example) => tables[0].rowOf[example * nodeCount + node]),
          tables[0].count,
        ),
        outputs: rowIndex(last.rowOf, last.count),
        ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
      },
    };
  };
}
