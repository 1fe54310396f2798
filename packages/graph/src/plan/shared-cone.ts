/**
 * Cone plans of models whose states are the background's: only attention belongs to examples. A value of attention
 * costs next to nothing, and a step's indices cost more than what they spare. So one set of entries serves all times:
 * whoever is in the cone at any. Attention that is there too early is 0, and what is there too late reaches nothing.
 */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import type { Background } from './background.ts';
import { conePairs, entriesEver, entriesOfNodes, planEntries } from './cone-entries.ts';
import type { ConePairs, EntryTable } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { createScratch, filled } from './int-scratch.ts';
import { fanSize } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanEntries, PlanFlow, PlanRows, PlanStep } from './plan.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

export function sharedCone(context: ConeContext, background: Background): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach, kind } = context;
  const { nodeCount } = graph;
  const flowAmong = flowBuilder(context);
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.hopsTo) : undefined;
    const cone = conePairs(steps, arrivals, needs);
    const entries = entriesEver(cone, batch, nodeCount);
    const last: PlanStep = {
      senders: { count: nodeCount },
      fan: background.fan,
      flow: flowAmong(entries, cone),
    };
    const step = kind.messages === 'none' ? last : { ...last, messages: background.messages };
    return {
      rows: new Array<PlanRows>(steps).fill(background.rows),
      steps: Array.from({ length: steps }, (_, t) => (t === steps - 1 ? last : step)),
      flow: {
        entries: new Array<PlanEntries>(steps + 1).fill(planEntries(entries)),
        sources: entriesOfNodes(entries, sources),
        ...(destinations && { targets: entriesOfNodes(entries, destinations) }),
      },
    };
  };
}

/** The edges from entry to entry, without those on which attention is never both there and in time. */
function flowBuilder({ graph, outgoing }: ConeContext): (entries: EntryTable, cone: ConePairs) => PlanFlow {
  const { nodeCount, edgeCount } = graph;
  const { offsets, receivers, edges } = outgoing;
  const scratch = createScratch('fanEdges', 'entries', 'arrivals');
  /** Entries are the pairs of the cone, and after them ends of examples that nothing joins. */
  const flowEdges = ({ entryOf }: EntryTable, { pairs, from, until }: ConePairs) => {
    const found = scratch.room(fanSize(pairs, outgoing));
    const { fanEdges, entries, arrivals } = found;
    let flows = 0;
    for (let entry = 0; entry < pairs.length; entry++) {
      const node = pairs[entry] % nodeCount;
      const first = pairs[entry] - node;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const arrival = entryOf[first + receivers[e]];
        if (arrival < 0 || arrival >= pairs.length || from[entry] >= until[arrival]) continue;
        fanEdges[flows] = e;
        entries[flows] = entry;
        arrivals[flows++] = arrival;
      }
    }
    return filled(found, flows);
  };
  return (table, cone) => {
    const found = flowEdges(table, cone);
    const fanEdges = rowIndex(found.fanEdges, edgeCount);
    const entries = rowIndex(found.entries, table.count);
    const outputs = (): Int32Array => {
      const [positions, leaving] = [fanEdges.toArray(), entries.toArray()];
      return positions.map((e, k) => {
        const example = Math.floor(table.pairs[leaving[k]] / nodeCount);
        return example * edgeCount + edges[e];
      });
    };
    return {
      count: entries.length,
      fanEdges,
      entries,
      arrivals: rowIndex(found.arrivals, table.count),
      outputs: deferredIndex(outputs, table.examples * edgeCount),
    };
  };
}
