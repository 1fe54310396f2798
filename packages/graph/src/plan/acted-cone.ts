/**
 * Cone plans of models in which attention acts on messages. A state is an example's own once attention can have acted
 * on a message into it; every other message has attention 0, and what acting makes of those does not depend on the
 * message, so that it is enough to count them. The rows of a time are the background, and after it those that examples have
 * of their own.
 */
import { rowIndex, tensor } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { actedStepWalk } from './acted-step.ts';
import type { ActedStepLists } from './acted-step.ts';
import { backgroundReads } from './background-reads.ts';
import { countSpans, entriesAt, entriesOf, fanOutputs } from './cone-times.ts';
import { isAsGoodAsDense } from './cone-context.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, splitTypedIndex, typedIndex } from './derived-indices.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanFan, PlanFlow, PlanMessages, PlanRows } from './plan.ts';

export function actedCone(context: ConeContext): (batch: ConeBatch) => FlowParts | undefined {
  const { graph, outgoing, conesOf } = context;
  const { nodeCount, edgeTypeCount } = graph;
  const { offsets: incoming } = graph.byReceiver;
  const walk = actedStepWalk(context);
  const readBy = backgroundReads(outgoing);

  const planFlow = (
    lists: ActedStepLists,
    fan: PlanFan,
    after: PlanEntries,
    outputs: RowIndex,
  ): PlanFlow => ({
    count: fan.count,
    entries: fan.senders,
    ...(lists.arriving.length < fan.count && { arriving: rowIndex(lists.arriving, fan.count) }),
    arrivals: rowIndex(lists.arrivals, after.count),
    outputs,
  });

  /** [rows, 1]: how many messages without attention each row of t + 1 receives. */
  const unattended = ({ into, placesAfter }: ActedStepLists, nodes: Int32Array): Tensor => {
    const counts = new Float32Array(placesAfter.length);
    for (let row = 0; row < counts.length; row++) {
      const node = nodes[placesAfter[row]];
      counts[row] = incoming[node + 1] - incoming[node];
    }
    for (let k = 0; k < into.length; k++) counts[into[k]] -= 1;
    return tensor(counts, { shape: [counts.length, 1] });
  };

  const planMessages = (lists: ActedStepLists, fan: PlanFan, nodes: Int32Array): PlanMessages => {
    const { into, placesAfter } = lists;
    const typedSenders = rowIndex(lists.typedSenders, fan.senders.rows * edgeTypeCount);
    const isFan = into.length === fan.count;
    const fanEdges = isFan ? undefined : rowIndex(lists.fanEdges, fan.count);
    const { ids: senders, types } = isFan
      ? { ids: fan.senders, types: fan.types }
      : splitTypedIndex(typedSenders, edgeTypeCount);
    const receivers = fanEdges ? pickedIndex(fan.receivers, fanEdges) : fan.receivers;
    return {
      count: into.length,
      senders,
      types,
      typedSenders,
      receivers,
      typedReceivers: typedIndex(receivers, types),
      ...(fanEdges && { fanEdges }),
      attention: senders,
      into: rowIndex(into, placesAfter.length),
      unattended: unattended(lists, nodes),
    };
  };

  return (given) => {
    const { sources, destinations, steps } = given;
    const cones = conesOf(given);
    const batch = {
      steps,
      cones,
      background: readBy(cones, steps),
      entries: countSpans(cones, steps, 'attention'),
      own: countSpans(cones, steps, 'states'),
    };
    const total = (counts: Int32Array): number => counts.reduce((sum, count) => sum + count, 0);
    const rowCount = total(batch.background.counts) + total(batch.own.subarray(0, steps));
    if (!given.kept && isAsGoodAsDense(rowCount, given, nodeCount)) return undefined;
    const entries = Array.from(batch.entries, (count, t) => entriesAt(t, cones, { count, nodeCount }));
    // At the beginning there is the background, and all nodes of the plan are in it; behind it the sources that are asked.
    const { nodes } = batch.background;
    const rows: PlanRows[] = [given.asked ? withSources(nodes, sources) : { count: nodes.length }];
    const planned: FlowStep[] = [];
    walk(batch, (t, lists) => {
      const { count } = rows[t];
      const fan = planFan(lists, { senders: entries[t].count, rows: count, types: edgeTypeCount });
      const isLast = t + 1 === steps;
      const { placesAfter } = lists;
      if (!isLast) rows.push({ count: placesAfter.length, nodes: rowIndex(placesAfter, nodes.length) });
      planned.push({
        senders: { count: entries[t].count, rows: rowIndex(lists.senderRows, count) },
        fan,
        flow: planFlow(lists, fan, entries[t + 1], fanOutputs(cones, t, outgoing)),
        ...(!isLast && { messages: planMessages(lists, fan, nodes), carry: rowIndex(lists.carry, count) }),
      });
    });
    return {
      nodes: rowIndex(nodes, nodeCount),
      rows,
      steps: planned,
      entries,
      sources: entriesOf(cones, sources, 0),
      ...(given.asked && {
        starts: rowIndex(
          sources.map((_, example) => nodes.length + example),
          rows[0].count,
        ),
      }),
      ...(destinations && { targets: entriesOf(cones, destinations, steps) }),
    };
  };
}

/** The rows of the background, then one for the source of each example. */
function withSources(nodes: Int32Array, sources: Int32Array): PlanRows {
  const placeOf = new Map(Array.from(nodes, (node, place) => [node, place]));
  const count = nodes.length + sources.length;
  const places = Int32Array.from({ length: count }, (_, row) =>
    row < nodes.length ? row : placeOf.get(sources[row - nodes.length])!,
  );
  return { count, nodes: rowIndex(places, nodes.length) };
}
