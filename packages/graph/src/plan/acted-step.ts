/** Steps of cone plans of models in which attention acts on messages. */
import { deferredIndex, rowIndex, segments, tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { EntryTable } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { createSlab, cut } from './int-scratch.ts';
import type { IntLists } from './int-scratch.ts';
import { fanOutputs, fanSize } from './outgoing-edges.ts';
import type { FlowStep, PlanFan, PlanFlow, PlanMessages } from './plan.ts';
import { carrier } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';
import { pick } from './typed-ids.ts';

/** The tables between which a step leads. */
interface StepEnds {
  readonly now: EntryTable;
  readonly next: EntryTable;
  readonly rows: RowTable;
  /** The last step has no rows after it. */
  readonly rowsAfter: RowTable | undefined;
}

/** What one walk over the edges that leave the entries finds. The lists are valid until the next walk. */
interface StepEdges {
  readonly fan: IntLists<'senders' | 'receivers' | 'types'>;
  readonly flow: IntLists<'arriving' | 'arrivals'>;
  /** The messages that arrive at a row which one example has of its own. */
  readonly messages: IntLists<'fanEdges' | 'typedSenders' | 'into'>;
}

export function actedStepBuilder(context: ConeContext): (ends: StepEnds) => FlowStep {
  const { graph, outgoing } = context;
  const { edgeCount, edgeTypeCount } = graph;
  const { offsets: incoming } = graph.byReceiver;
  const inDegree = incoming.subarray(1).map((end, node) => end - incoming[node]);
  const edgesOf = edgeWalk(context);
  const carried = carrier();

  const planFan = (lists: StepEdges['fan'], { now, rows }: StepEnds): PlanFan => {
    const senders = segments(lists.senders, now.count);
    const receivers = rowIndex(lists.receivers, rows.count);
    const types = rowIndex(lists.types, edgeTypeCount);
    return {
      count: lists.senders.length,
      senders,
      receivers,
      types,
      typedSenders: typedIndex(senders, types),
      typedReceivers: typedIndex(receivers, types),
    };
  };

  const planFlow = (
    { arriving, arrivals }: StepEdges['flow'],
    { count, senders }: PlanFan,
    { now, next }: StepEnds,
  ): PlanFlow => ({
    count,
    entries: senders,
    ...(arriving.length < count && { arriving: rowIndex(arriving, count) }),
    arrivals: rowIndex(arrivals, next.count),
    outputs: deferredIndex(() => fanOutputs(now.pairs, outgoing), now.examples * edgeCount),
  });

  /** How many messages without attention each row receives. */
  const unattended = (into: Int32Array, { count, nodes }: RowTable): Tensor => {
    const counts = new Float32Array(pick(inDegree, nodes));
    for (let k = 0; k < into.length; k++) counts[into[k]] -= 1;
    return tensor(counts, { shape: [count, 1] });
  };

  const planMessages = (
    lists: StepEdges['messages'],
    fan: PlanFan,
    now: EntryTable,
    rowsAfter: RowTable,
  ): PlanMessages => {
    const typedSenders = rowIndex(lists.typedSenders, now.count * edgeTypeCount);
    const isFan = lists.into.length === fan.count;
    const fanEdges = isFan ? undefined : rowIndex(lists.fanEdges, fan.count);
    const { ids: senders, types } = isFan
      ? { ids: fan.senders, types: fan.types }
      : splitTypedIndex(typedSenders, edgeTypeCount);
    const receivers = fanEdges ? pickedIndex(fan.receivers, fanEdges) : fan.receivers;
    return {
      count: lists.into.length,
      senders,
      types,
      typedSenders,
      receivers,
      typedReceivers: typedIndex(receivers, types),
      ...(fanEdges && { fanEdges }),
      attention: senders,
      into: rowIndex(lists.into, rowsAfter.count),
      unattended: unattended(lists.into, rowsAfter),
    };
  };

  return (ends) => {
    const { now, rows, rowsAfter } = ends;
    const edges = edgesOf(ends);
    const fan = planFan(edges.fan, ends);
    return {
      senders: { count: now.count, rows: rowIndex(pick(rows.rowOf, now.pairs), rows.count) },
      fan,
      flow: planFlow(edges.flow, fan, ends),
      ...(rowsAfter && {
        messages: planMessages(edges.messages, fan, now, rowsAfter),
        carry: carried(rows, rowsAfter),
      }),
    };
  };
}

/** This is the innermost loop of planning. It writes to one array and does not branch on what it reads, which makes it fast. */
function edgeWalk({ graph, outgoing }: ConeContext): (ends: StepEnds) => StepEdges {
  const { nodeCount, edgeTypeCount } = graph;
  const { offsets, receivers: receiverNodes, types: edgeTypes } = outgoing;
  const roomFor = createSlab(
    ...(['senders', 'receivers', 'types'] as const),
    ...(['arriving', 'arrivals'] as const),
    ...(['fanEdges', 'typedSenders', 'into'] as const),
  );
  return ({ now, next, rows, rowsAfter }) => {
    const slab = roomFor(fanSize(now.pairs, outgoing));
    const { values } = slab;
    const { senders, receivers, types, arriving, arrivals, fanEdges, typedSenders, into } = slab.start;
    const [rowOf, entryOf, rowOfAfter] = [rows.rowOf, next.entryOf, (rowsAfter ?? rows).rowOf];
    let [fan, flow, messages] = [0, 0, 0];
    for (let entry = 0; entry < now.count; entry++) {
      const node = now.pairs[entry] % nodeCount;
      const first = now.pairs[entry] - node;
      const end = offsets[node + 1];
      for (let e = offsets[node]; e < end; e++) {
        const pair = first + receiverNodes[e];
        const type = edgeTypes[e];
        values[senders + fan] = entry;
        values[receivers + fan] = rowOf[pair];
        values[types + fan] = type;
        // The edge is written in any case. Where its receiver has no entry, the count does not move on, so that the next
        // edge overwrites it: n >> 31 is −1 for negative n, else 0.
        const arrival = entryOf[pair];
        values[arriving + flow] = fan;
        values[arrivals + flow] = arrival;
        flow += 1 + (arrival >> 31);
        // The message is written in any case too. The rows below nodeCount are the background's; a message into one of
        // them is not needed, and the next overwrites it.
        const rowAfter = rowOfAfter[pair];
        values[fanEdges + messages] = fan;
        values[typedSenders + messages] = entry * edgeTypeCount + type;
        values[into + messages] = rowAfter;
        messages += 1 + ((rowAfter - nodeCount) >> 31);
        fan += 1;
      }
    }
    return {
      fan: cut(slab, ['senders', 'receivers', 'types'], fan),
      flow: cut(slab, ['arriving', 'arrivals'], flow),
      messages: cut(slab, ['fanEdges', 'typedSenders', 'into'], messages),
    };
  };
}
