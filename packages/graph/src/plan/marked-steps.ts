/** Steps of cone plans of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex, segments } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { through, typedIndex, untyped } from './derived-indices.ts';
import { createScratch, createSlab, cut, filled } from './int-scratch.ts';
import type { IntLists } from './int-scratch.ts';
import type { PlanStep } from './plan.ts';
import { carrier } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';
import { pick, typedIds } from './typed-ids.ts';

type StepBuilder = (before: RowTable, after: RowTable) => PlanStep;

/** How many messages the rows receive. */
function incomingCount({ count, nodes }: RowTable, incoming: Int32Array): number {
  let total = 0;
  for (let row = 0; row < count; row++) total += incoming[nodes[row] + 1] - incoming[nodes[row]];
  return total;
}

/** For messages that read their own ends alone. */
export function endStepBuilder({ graph }: ConeContext): StepBuilder {
  const { nodeCount, edgeCount, edgeTypeCount, byReceiver } = graph;
  const { offsets, permutation } = byReceiver;
  const senders = pick(graph.senders, permutation);
  const types = pick(graph.edgeTypes, permutation);
  const background = {
    typedSenders: typedIds(senders, types, edgeTypeCount),
    into: pick(graph.receivers, permutation),
  };
  const carried = carrier();
  const roomFor = createSlab('typedSenders', 'into');
  const edgesInto = ({ rowOf }: RowTable, after: RowTable): IntLists<'typedSenders' | 'into'> => {
    const slab = roomFor(incomingCount(after, offsets));
    const { values } = slab;
    const { typedSenders, into } = slab.start;
    values.set(background.typedSenders, typedSenders);
    values.set(background.into, into);
    let count = edgeCount;
    for (let row = nodeCount; row < after.count; row++) {
      const node = after.nodes[row];
      const first = after.pairs[row] - node;
      const end = offsets[node + 1];
      for (let i = offsets[node]; i < end; i++) {
        values[typedSenders + count] = rowOf[first + senders[i]] * edgeTypeCount + types[i];
        values[into + count] = row;
        count += 1;
      }
    }
    return cut(slab, ['typedSenders', 'into'], count);
  };
  return (before, after) => {
    const sent = edgesInto(before, after);
    const carry = carried(before, after);
    const into = rowIndex(sent.into, after.count);
    const typedSenders = rowIndex(sent.typedSenders, before.count * edgeTypeCount);
    const ofSenders = untyped(typedSenders, edgeTypeCount);
    const receivers = through(carry, into);
    return {
      senders: { count: before.count },
      messages: {
        count: sent.into.length,
        senders: ofSenders.ids,
        types: ofSenders.types,
        typedSenders,
        receivers,
        typedReceivers: typedIndex(receivers, ofSenders.types),
        into,
      },
      carry,
    };
  };
}

/**
 * Where a message depends on all receivers of its sender, a sender is an example's own if its row is, or that of one of
 * its receivers; the others send what the background sends. All that an own sender sends arrives in own rows.
 */
export function siblingStepBuilder({ graph, outgoing }: ConeContext): StepBuilder {
  const { nodeCount, edgeTypeCount } = graph;
  const { offsets, receivers, types } = outgoing;
  const { permutation, offsets: incoming } = graph.byReceiver;
  // Edge by receiver → its sender, and its place among those that leave it.
  const senderNodes = pick(graph.senders, permutation);
  const places = permutation.map((edge) => graph.bySender.inverse[edge] - offsets[graph.senders[edge]]);
  const carried = carrier();
  const scratch = {
    senders: createScratch('rows'),
    /** Pair → where the edges of its sender begin in the fan: its own or the background's. */
    pairs: createScratch('fanOf'),
    fan: createScratch('senders', 'typedSenders', 'typedReceivers'),
    sent: createScratch('fanEdges', 'typedSenders', 'into'),
  };

  const isOwn = (node: number, first: number, rowOf: Int32Array): boolean => {
    if (rowOf[first + node] >= nodeCount) return true;
    for (let e = offsets[node]; e < offsets[node + 1]; e++) {
      if (rowOf[first + receivers[e]] >= nodeCount) return true;
    }
    return false;
  };

  /** The background's fan, then that of every own sender. */
  const fanAt = ({ rowOf }: RowTable) => {
    const pairCount = rowOf.length;
    const { rows } = scratch.senders.room(nodeCount + pairCount);
    const { fanOf } = scratch.pairs.room(pairCount);
    const fan = scratch.fan.room((1 + pairCount / nodeCount) * receivers.length);
    const { senders: fanSenders, typedSenders, typedReceivers } = fan;
    let [senders, edges] = [0, 0];
    /** `first` is where the pairs of an example begin; −1 for the background. */
    const add = (node: number, first: number): void => {
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const receiver = first < 0 ? receivers[e] : rowOf[first + receivers[e]];
        fanSenders[edges] = senders;
        typedSenders[edges] = senders * edgeTypeCount + types[e];
        typedReceivers[edges++] = receiver * edgeTypeCount + types[e];
      }
      rows[senders++] = first < 0 ? node : rowOf[first + node];
    };
    for (let node = 0; node < nodeCount; node++) add(node, -1);
    for (let first = 0; first < pairCount; first += nodeCount) {
      for (let node = 0; node < nodeCount; node++) {
        const own = isOwn(node, first, rowOf);
        fanOf[first + node] = own ? edges : offsets[node];
        if (own) add(node, first);
      }
    }
    return { rows: rows.subarray(0, senders), fanOf, fan: filled(fan, edges) };
  };

  const edgesInto = (
    after: RowTable,
    fanOf: Int32Array,
    ofFan: Int32Array,
  ): IntLists<'fanEdges' | 'typedSenders' | 'into'> => {
    const sent = scratch.sent.room(incomingCount(after, incoming));
    const { fanEdges, typedSenders, into } = sent;
    let count = 0;
    for (let row = 0; row < after.count; row++) {
      const [node, pair] = [after.nodes[row], after.pairs[row]];
      for (let i = incoming[node]; i < incoming[node + 1]; i++) {
        const sender = senderNodes[i];
        const fanEdge = (pair < 0 ? offsets[sender] : fanOf[pair - node + sender]) + places[i];
        fanEdges[count] = fanEdge;
        typedSenders[count] = ofFan[fanEdge];
        into[count++] = row;
      }
    }
    return filled(sent, count);
  };

  return (before, after) => {
    const { rows, fanOf, fan } = fanAt(before);
    const sent = edgesInto(after, fanOf, fan.typedSenders);
    const count = rows.length;
    const typedReceivers = rowIndex(fan.typedReceivers, before.count * edgeTypeCount);
    const ofFan = untyped(typedReceivers, edgeTypeCount);
    const typedSenders = rowIndex(sent.typedSenders, count * edgeTypeCount);
    const ofSent = untyped(typedSenders, edgeTypeCount);
    const fanEdges = rowIndex(sent.fanEdges, fan.senders.length);
    return {
      senders: { count, rows: rowIndex(rows, before.count) },
      fan: {
        count: fan.senders.length,
        senders: segments(fan.senders, count),
        receivers: ofFan.ids,
        types: ofFan.types,
        typedSenders: rowIndex(fan.typedSenders, count * edgeTypeCount),
        typedReceivers,
      },
      messages: {
        count: sent.into.length,
        senders: ofSent.ids,
        types: ofSent.types,
        typedSenders,
        receivers: through(ofFan.ids, fanEdges),
        typedReceivers: through(typedReceivers, fanEdges),
        fanEdges,
        into: rowIndex(sent.into, after.count),
      },
      carry: carried(before, after),
    };
  };
}
