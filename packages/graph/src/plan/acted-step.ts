/** Steps of cone plans of models in which attention acts on messages. */
import { deferredIndex, rowIndex, segments, tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { EntryTable } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { through, typedIndex, untyped } from './derived-indices.ts';
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
  /** None after the last step. */
  readonly rowsAfter: RowTable | undefined;
}

/** What one walk over the edges that leave an entry finds; valid until the next walk. */
interface StepEdges {
  readonly fan: IntLists<'senders' | 'receivers' | 'types'>;
  readonly flow: IntLists<'arriving' | 'arrivals'>;
  /** Those that arrive at a row that an example has of its own. */
  readonly sent: IntLists<'fanEdges' | 'typedSenders' | 'into'>;
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
    sent: StepEdges['sent'],
    fan: PlanFan,
    now: EntryTable,
    rowsAfter: RowTable,
  ): PlanMessages => {
    const typedSenders = rowIndex(sent.typedSenders, now.count * edgeTypeCount);
    const isFan = sent.into.length === fan.count;
    const fanEdges = isFan ? undefined : rowIndex(sent.fanEdges, fan.count);
    const { ids: senders, types } = isFan
      ? { ids: fan.senders, types: fan.types }
      : untyped(typedSenders, edgeTypeCount);
    const receivers = fanEdges ? through(fan.receivers, fanEdges) : fan.receivers;
    return {
      count: sent.into.length,
      senders,
      types,
      typedSenders,
      receivers,
      typedReceivers: typedIndex(receivers, types),
      ...(fanEdges && { fanEdges }),
      attention: senders,
      into: rowIndex(sent.into, rowsAfter.count),
      unattended: unattended(sent.into, rowsAfter),
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
        messages: planMessages(edges.sent, fan, now, rowsAfter),
        carry: carried(rows, rowsAfter),
      }),
    };
  };
}

/** The innermost loop of planning: one array to write to, and no branch on what is read. */
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
    let [fan, flow, sent] = [0, 0, 0];
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
        // Written in any case, and written over unless there is an entry: n >> 31 is −1 for negative n, else 0.
        const arrival = entryOf[pair];
        values[arriving + flow] = fan;
        values[arrivals + flow] = arrival;
        flow += 1 + (arrival >> 31);
        // Likewise unless the row is an example's own.
        const rowAfter = rowOfAfter[pair];
        values[fanEdges + sent] = fan;
        values[typedSenders + sent] = entry * edgeTypeCount + type;
        values[into + sent] = rowAfter;
        sent += 1 + ((rowAfter - nodeCount) >> 31);
        fan += 1;
      }
    }
    return {
      fan: cut(slab, ['senders', 'receivers', 'types'], fan),
      flow: cut(slab, ['arriving', 'arrivals'], flow),
      sent: cut(slab, ['fanEdges', 'typedSenders', 'into'], sent),
    };
  };
}
