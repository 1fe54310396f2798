/** Steps of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex, segments } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { IntRoom } from './int-room.ts';
import type { MarkStep, PlanFan } from './plan.ts';
import { pick, typedIds } from './typed-ids.ts';
import type { UnrolledBatch } from './unrolled-batch.ts';

type StepMaker = (batch: UnrolledBatch) => MarkStep;

export const markStepMaker = (context: ConeContext): StepMaker =>
  context.kind.reads === 'siblings' ? siblingSteps(context) : endSteps(context);

/** The messages of the background: all edges of the graph, by receiver, the same at all times. */
function incomingEdges({ graph, adjacency }: ConeContext) {
  const { edgeTypeCount, byReceiver, bySender } = graph;
  const types = pick(graph.edgeTypes, byReceiver.permutation);
  return {
    offsets: byReceiver.offsets,
    types,
    typedSenders: typedIds(adjacency.into.ends, types, edgeTypeCount),
    /** Where each is among the outgoing edges. */
    fanEdges: pick(bySender.inverse, byReceiver.permutation),
    into: pick(graph.receivers, byReceiver.permutation),
  };
}

/** Steps for messages that read only the states of their sender and their receiver (GGNN, FullGN). */
function endSteps(context: ConeContext): StepMaker {
  const { edgeCount, edgeTypeCount } = context.graph;
  const incoming = incomingEdges(context);
  const room = new IntRoom();
  return (batch) => {
    const { t, parts, first, times, now, after } = batch;
    const most = edgeCount + times.arriving[t + 1];
    const values = room.lend(2 * most);
    values.set(incoming.typedSenders);
    values.set(incoming.into, most);
    let count = edgeCount;
    for (let p = 0; p < parts.length; p++) {
      const { own, nodes, arriving } = parts[p];
      const { offsets, ends } = arriving!;
      for (let k = 0; k < own; k++) {
        const row = after[first[p] + k];
        if (row < 0) continue;
        let e = incoming.offsets[nodes[k]];
        const end = offsets[k + 1];
        for (let i = offsets[k]; i < end; i++, e++) {
          values[count] = now[first[p] + ends[i]] * edgeTypeCount + incoming.types[e];
          values[most + count] = row;
          count += 1;
        }
      }
    }
    const rows = batch.rowsAt(t);
    const carry = rowIndex(batch.carry, rows);
    const into = rowIndex(values.subarray(most, most + count), batch.rowsAt(t + 1));
    const typedSenders = rowIndex(values.subarray(0, count), rows * edgeTypeCount);
    const { ids: senders, types } = splitTypedIndex(typedSenders, edgeTypeCount);
    const receivers = pickedIndex(carry, into);
    return {
      senders: { count: rows },
      messages: {
        count,
        senders,
        types,
        typedSenders,
        receivers,
        typedReceivers: typedIndex(receivers, types),
        into,
      },
      carry,
    };
  };
}

/**
 * Steps for messages that depend on all receivers of their sender (GAT). A sender differs from the background if its own row
 * does, or the row of one of its receivers; such a sender has a fan of the example's own. Every other sender sends what it
 * sends in the background.
 */
function siblingSteps(context: ConeContext): StepMaker {
  const { graph } = context;
  const { outOf } = context.adjacency;
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const incoming = incomingEdges(context);
  // For each incoming edge its position among the edges that leave its sender.
  const positions = incoming.fanEdges.map((e) => e - outOf.offsets[outOf.senders[e]]);
  const { senders, ends, types } = outOf;
  const [typedSenders, typedReceivers] = [senders, ends].map((ids) => typedIds(ids, types, edgeTypeCount));
  const [fanRoom, messageRoom] = [new IntRoom(), new IntRoom()];

  return (batch) => {
    const { t, parts, first, times, now, after } = batch;
    const [mostEdges, most] = [edgeCount + times.leaving[t], edgeCount + times.arriving[t + 1]];
    const [fanValues, values] = [fanRoom.lend(3 * mostEdges), messageRoom.lend(3 * most)];
    [senders, typedSenders, typedReceivers].forEach((list, i) => {
      fanValues.set(list, i * mostEdges);
    });
    [incoming.fanEdges, incoming.into, incoming.typedSenders].forEach((list, i) => {
      values.set(list, i * most);
    });
    const own: number[] = [];
    let [edges, count] = [edgeCount, edgeCount];
    for (let p = 0; p < parts.length; p++) {
      const part = parts[p];
      const { nodes, fans, leaving, arriving } = part;
      /** Where the edges that leave each node begin in the fan: the example's own, or else the background's. */
      const fanOf = new Int32Array(nodes.length);
      for (let k = 0; k < nodes.length; k++) fanOf[k] = outOf.offsets[nodes[k]];
      for (let k = 0; k < part.own; k++) {
        if (t < fans.from[k] || t > fans.until[k]) continue;
        let e = fanOf[k];
        fanOf[k] = edges;
        const sender = nodeCount + own.length;
        for (let i = leaving.offsets[k]; i < leaving.offsets[k + 1]; i++, e++) {
          fanValues[edges] = sender;
          fanValues[mostEdges + edges] = sender * edgeTypeCount + types[e];
          fanValues[2 * mostEdges + edges] = now[first[p] + leaving.ends[i]] * edgeTypeCount + types[e];
          edges += 1;
        }
        own.push(now[first[p] + k]);
      }
      for (let k = 0; k < part.own; k++) {
        const row = after[first[p] + k];
        if (row < 0) continue;
        let e = incoming.offsets[nodes[k]];
        for (let i = arriving!.offsets[k]; i < arriving!.offsets[k + 1]; i++, e++) {
          const fanEdge = fanOf[arriving!.ends[i]] + positions[e];
          values[count] = fanEdge;
          values[most + count] = row;
          values[2 * most + count] = fanValues[mostEdges + fanEdge];
          count += 1;
        }
      }
    }
    const rows = batch.rowsAt(t);
    const senderRows = new Int32Array(nodeCount + own.length);
    for (let node = 0; node < nodeCount; node++) senderRows[node] = node;
    senderRows.set(own, nodeCount);
    const fanList = (i: number): Int32Array => fanValues.subarray(i * mostEdges, i * mostEdges + edges);
    const list = (i: number): Int32Array => values.subarray(i * most, i * most + count);
    const typedCount = senderRows.length * edgeTypeCount;
    const ofReceivers = rowIndex(fanList(2), rows * edgeTypeCount);
    const { ids, types: fanTypes } = splitTypedIndex(ofReceivers, edgeTypeCount);
    const fan: PlanFan = {
      count: edges,
      senders: segments(fanList(0), senderRows.length),
      receivers: ids,
      types: fanTypes,
      typedSenders: rowIndex(fanList(1), typedCount),
      typedReceivers: ofReceivers,
    };
    const fanEdges = rowIndex(list(0), edges);
    return {
      senders: { count: senderRows.length, rows: rowIndex(senderRows, rows) },
      fan,
      messages: {
        count,
        senders: pickedIndex(fan.senders, fanEdges),
        types: pickedIndex(fan.types, fanEdges),
        typedSenders: rowIndex(list(2), typedCount),
        receivers: pickedIndex(fan.receivers, fanEdges),
        typedReceivers: pickedIndex(fan.typedReceivers, fanEdges),
        fanEdges,
        into: rowIndex(list(1), batch.rowsAt(t + 1)),
      },
      carry: rowIndex(batch.carry, rows),
    };
  };
}
