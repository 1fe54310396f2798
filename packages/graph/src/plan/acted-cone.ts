/**
 * Cone plans of models in which attention acts on messages. A state is an example's own once attention can have acted
 * on a message into it; every other message has attention 0, and what acting makes of those does not depend on the
 * message, so that it is enough to count them.
 */
import { rowIndex, segments, tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { conePairs, entriesAt, entriesOfNodes, planEntries } from './cone-entries.ts';
import type { EntryTable } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { IntList } from './int-list.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanFan, PlanFlow, PlanMessages, PlanStep } from './plan.ts';
import { carried, planRows, rowsAt } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';
import { pick, typedIds } from './typed-ids.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

export function actedCone(context: ConeContext): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach } = context;
  const { nodeCount } = graph;
  const stepBetween = stepBuilder(context);
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
      arrivals.map((hops) => hops.map((hop) => Math.max(hop, 1))),
      needs?.map((need) => need.states),
    );
    const entries = Array.from({ length: steps + 1 }, (_, t) =>
      entriesAt(t, steps, attention, batch, nodeCount),
    );
    const rows = Array.from({ length: steps }, (_, t) => rowsAt(t, states, examples, nodeCount));
    return {
      rows: rows.map((table) => planRows(table, nodeCount)),
      steps: rows.map((table, t) => stepBetween(entries[t], entries[t + 1], table, rows[t + 1])),
      flow: {
        entries: entries.map(planEntries),
        sources: entriesOfNodes(entries[0], sources),
        ...(destinations && { targets: entriesOfNodes(entries[steps], destinations) }),
      },
    };
  };
}

type StepBuilder = (
  now: EntryTable,
  next: EntryTable,
  rows: RowTable,
  /** None after the last step. */
  rowsAfter: RowTable | undefined,
) => PlanStep;

function stepBuilder({ graph, outgoing, kind }: ConeContext): StepBuilder {
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, receivers, types, edges } = outgoing;
  const inDegree = graph.byReceiver.offsets
    .subarray(1)
    .map((end, node) => end - graph.byReceiver.offsets[node]);
  const readsSiblings = kind.messages === 'siblings';
  const readsEnds = kind.messages === 'ends' || readsSiblings;
  const fan = {
    senders: new IntList(),
    receivers: new IntList(),
    types: new IntList(),
    outputs: new IntList(),
  };
  const flow = { arriving: new IntList(), arrivals: new IntList() };
  const sent = {
    fanEdges: new IntList(),
    senders: new IntList(),
    types: new IntList(),
    into: new IntList(),
    receivers: new IntList(),
  };
  const lists = [fan, flow, sent].flatMap((group) => Object.values(group));

  const collect = (
    now: EntryTable,
    next: EntryTable,
    rows: RowTable,
    rowsAfter: RowTable | undefined,
  ): void => {
    for (const list of lists) list.clear();
    for (let entry = 0; entry < now.count; entry++) {
      const node = now.pairs[entry] % nodeCount;
      const first = now.pairs[entry] - node;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const pair = first + receivers[e];
        const fanEdge = fan.senders.length;
        fan.senders.push(entry);
        fan.receivers.push(rows.rowOf[pair]);
        fan.types.push(types[e]);
        fan.outputs.push((first / nodeCount) * edgeCount + edges[e]);
        if (next.entryOf[pair] >= 0) {
          flow.arriving.push(fanEdge);
          flow.arrivals.push(next.entryOf[pair]);
        }
        const into = rowsAfter?.rowOf[pair] ?? 0;
        if (into < nodeCount) continue;
        sent.fanEdges.push(fanEdge);
        sent.senders.push(entry);
        sent.types.push(types[e]);
        sent.into.push(into);
        if (readsEnds) sent.receivers.push(rows.rowOf[pair]);
      }
    }
  };

  const planFan = (now: EntryTable, rows: RowTable): PlanFan => {
    const [senders, receivers, types] = [fan.senders.view, fan.receivers.view, fan.types.view];
    return {
      count: senders.length,
      senders: segments(senders, now.count),
      receivers: rowIndex(receivers, rows.count),
      types: rowIndex(types, edgeTypeCount),
      ...(readsSiblings && {
        typedSenders: rowIndex(typedIds(senders, types, edgeTypeCount), now.count * edgeTypeCount),
        typedReceivers: rowIndex(typedIds(receivers, types, edgeTypeCount), rows.count * edgeTypeCount),
      }),
    };
  };

  /** How many messages without attention each row receives. */
  const unattended = (rowsAfter: RowTable): Tensor => {
    const counts = new Float32Array(pick(inDegree, rowsAfter.nodes));
    const into = sent.into.view;
    for (let k = 0; k < into.length; k++) counts[into[k]] -= 1;
    return tensor(counts, { shape: [rowsAfter.count, 1] });
  };

  const planMessages = (now: EntryTable, rows: RowTable, rowsAfter: RowTable): PlanMessages => {
    const [senders, types, receivers] = [sent.senders.view, sent.types.view, sent.receivers.view];
    return {
      count: senders.length,
      senders: rowIndex(senders, now.count),
      types: rowIndex(types, edgeTypeCount),
      typedSenders: rowIndex(typedIds(senders, types, edgeTypeCount), now.count * edgeTypeCount),
      ...(readsEnds && {
        receivers: rowIndex(receivers, rows.count),
        typedReceivers: rowIndex(typedIds(receivers, types, edgeTypeCount), rows.count * edgeTypeCount),
      }),
      fanEdges: rowIndex(sent.fanEdges.view, fan.senders.length),
      into: rowIndex(sent.into.view, rowsAfter.count),
      unattended: unattended(rowsAfter),
    };
  };

  return (now, next, rows, rowsAfter) => {
    collect(now, next, rows, rowsAfter);
    const built = planFan(now, rows);
    const planFlow: PlanFlow = {
      count: built.count,
      entries: built.senders,
      arriving: rowIndex(flow.arriving.view, built.count),
      arrivals: rowIndex(flow.arrivals.view, next.count),
      outputs: fan.outputs.view.slice(),
    };
    const senderRows = pick(rows.rowOf, now.pairs);
    return {
      senders: { count: now.count, rows: rowIndex(senderRows, rows.count) },
      fan: built,
      flow: planFlow,
      ...(rowsAfter && {
        messages: planMessages(now, rows, rowsAfter),
        carry: carried(rows, rowsAfter),
      }),
    };
  };
}
