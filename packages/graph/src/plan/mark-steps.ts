/** Steps of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { IntRoom } from './int-room.ts';
import type { MarkStep } from './plan.ts';
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
  const { graph, outgoing } = context;
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const incoming = incomingEdges(context);
  // For each incoming edge its position among the edges that leave its sender.
  const positions = incoming.fanEdges.map((e) => e - outgoing.offsets[outgoing.senders[e]]);
  const [fanRoom, messageRoom] = [new IntRoom(), new IntRoom()];

  return (batch) => {
    const { t, parts, first, times, now, after } = batch;
    const [mostEdges, most] = [edgeCount + times.leaving[t], edgeCount + times.arriving[t + 1]];
    const [fanValues, values] = [fanRoom.lend(3 * mostEdges), messageRoom.lend(2 * most)];
    const { types } = outgoing;
    [outgoing.senders, outgoing.receivers, types].forEach((list, i) => {
      fanValues.set(list, i * mostEdges);
    });
    values.set(incoming.fanEdges);
    values.set(incoming.into, most);
    const own: number[] = [];
    let [edges, count] = [edgeCount, edgeCount];
    for (let p = 0; p < parts.length; p++) {
      const part = parts[p];
      const { nodes, fans, leaving, arriving } = part;
      /** Where the edges that leave each node begin in the fan: the example's own, or else the background's. */
      const fanOf = new Int32Array(nodes.length);
      for (let k = 0; k < nodes.length; k++) fanOf[k] = outgoing.offsets[nodes[k]];
      for (let k = 0; k < part.own; k++) {
        if (t < fans.from[k] || t > fans.until[k]) continue;
        let e = fanOf[k];
        fanOf[k] = edges;
        for (let i = leaving.offsets[k]; i < leaving.offsets[k + 1]; i++, e++) {
          fanValues[edges] = nodeCount + own.length;
          fanValues[mostEdges + edges] = now[first[p] + leaving.ends[i]];
          fanValues[2 * mostEdges + edges] = types[e];
          edges += 1;
        }
        own.push(now[first[p] + k]);
      }
      for (let k = 0; k < part.own; k++) {
        const row = after[first[p] + k];
        if (row < 0) continue;
        let e = incoming.offsets[nodes[k]];
        for (let i = arriving!.offsets[k]; i < arriving!.offsets[k + 1]; i++, e++) {
          values[count] = fanOf[arriving!.ends[i]] + positions[e];
          values[most + count] = row;
          count += 1;
        }
      }
    }
    const rows = batch.rowsAt(t);
    const senderRows = new Int32Array(nodeCount + own.length);
    for (let node = 0; node < nodeCount; node++) senderRows[node] = node;
    senderRows.set(own, nodeCount);
    const listAt = (start: number): Int32Array => fanValues.subarray(start, start + edges);
    const fan = planFan(
      { senders: listAt(0), receivers: listAt(mostEdges), types: listAt(2 * mostEdges) },
      { senders: senderRows.length, rows, types: edgeTypeCount },
    );
    const fanEdges = rowIndex(values.subarray(0, count), edges);
    return {
      senders: { count: senderRows.length, rows: rowIndex(senderRows, rows) },
      fan,
      messages: {
        count,
        senders: pickedIndex(fan.senders, fanEdges),
        types: pickedIndex(fan.types, fanEdges),
        typedSenders: pickedIndex(fan.typedSenders, fanEdges),
        receivers: pickedIndex(fan.receivers, fanEdges),
        typedReceivers: pickedIndex(fan.typedReceivers, fanEdges),
        fanEdges,
        into: rowIndex(values.subarray(most, most + count), batch.rowsAt(t + 1)),
      },
      carry: rowIndex(batch.carry, rows),
    };
  };
}
