/** Cone plans of models whose states are the background's: only attention belongs to examples. */
import { rowIndex } from '@flowgrad/tensor';
import type { Background } from './background.ts';
import { conePairs, entriesAt, entriesOfNodes, planEntries } from './cone-entries.ts';
import type { EntryTable } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { IntList } from './int-list.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanFlow, PlanRows, PlanStep } from './plan.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

export function sharedCone(context: ConeContext, background: Background): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach, kind } = context;
  const { nodeCount } = graph;
  const flowBetween = flowBuilder(context);
  const step: PlanStep = { senders: { count: nodeCount }, fan: background.fan };
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.hopsTo) : undefined;
    const cone = conePairs(steps, arrivals, needs);
    const tables = Array.from({ length: steps + 1 }, (_, t) => entriesAt(t, steps, cone, batch, nodeCount));
    const last = tables[steps];
    return {
      rows: new Array<PlanRows>(steps).fill(background.rows),
      steps: Array.from({ length: steps }, (_, t) => ({
        ...step,
        flow: flowBetween(tables[t], tables[t + 1]),
        ...(kind.messages !== 'none' && t < steps - 1 && { messages: background.messages }),
      })),
      flow: {
        entries: tables.map(planEntries),
        sources: entriesOfNodes(tables[0], sources),
        ...(destinations && { targets: entriesOfNodes(last, destinations) }),
      },
    };
  };
}

/** The outgoing edges of every entry that arrive at an entry of the next time. */
function flowBuilder({ graph, outgoing }: ConeContext): (now: EntryTable, next: EntryTable) => PlanFlow {
  const { nodeCount, edgeCount } = graph;
  const { offsets, receivers, edges } = outgoing;
  const lists = {
    fanEdges: new IntList(),
    entries: new IntList(),
    arrivals: new IntList(),
    outputs: new IntList(),
  };
  return (now, next) => {
    for (const list of Object.values(lists)) list.clear();
    for (let entry = 0; entry < now.count; entry++) {
      const node = now.pairs[entry] % nodeCount;
      const first = now.pairs[entry] - node;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const arrival = next.entryOf[first + receivers[e]];
        if (arrival < 0) continue;
        lists.fanEdges.push(e);
        lists.entries.push(entry);
        lists.arrivals.push(arrival);
        lists.outputs.push((first / nodeCount) * edgeCount + edges[e]);
      }
    }
    return {
      count: lists.entries.length,
      fanEdges: rowIndex(lists.fanEdges.view, edgeCount),
      entries: rowIndex(lists.entries.view, now.count),
      arrivals: rowIndex(lists.arrivals.view, next.count),
      outputs: lists.outputs.view.slice(),
    };
  };
}
