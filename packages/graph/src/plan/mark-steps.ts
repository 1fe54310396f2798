/** Steps of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { createSlab, cut, writeLists } from './int-scratch.ts';
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
  const roomFor = createSlab('typedSenders', 'into');
  return (batch) => {
    const { t, parts, first, times, now, after } = batch;
    const slab = roomFor(edgeCount + times.arriving[t + 1]);
    const { values } = slab;
    const { typedSenders: toSenders, into: toInto } = slab.start;
    writeLists(slab, { typedSenders: incoming.typedSenders, into: incoming.into });
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
          values[toSenders + count] = now[first[p] + ends[i]] * edgeTypeCount + incoming.types[e];
          values[toInto + count] = row;
          count += 1;
        }
      }
    }
    const lists = cut(slab, ['typedSenders', 'into'], count);
    const rows = batch.rowsAt(t);
    const carry = rowIndex(batch.carry, rows);
    const into = rowIndex(lists.into, batch.rowsAt(t + 1));
    const typedSenders = rowIndex(lists.typedSenders, rows * edgeTypeCount);
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
  const roomForFan = createSlab('senders', 'receivers', 'types');
  const roomForMessages = createSlab('fanEdges', 'into');

  return (batch) => {
    const { t, parts, first, times, now, after } = batch;
    const [fanSlab, slab] = [
      roomForFan(edgeCount + times.leaving[t]),
      roomForMessages(edgeCount + times.arriving[t + 1]),
    ];
    const [fanValues, values] = [fanSlab.values, slab.values];
    const { senders: toSenders, receivers: toReceivers, types: toTypes } = fanSlab.start;
    const { fanEdges: toFanEdges, into: toInto } = slab.start;
    const { senders, receivers, types } = outgoing;
    writeLists(fanSlab, { senders, receivers, types });
    writeLists(slab, { fanEdges: incoming.fanEdges, into: incoming.into });
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
          fanValues[toSenders + edges] = nodeCount + own.length;
          fanValues[toReceivers + edges] = now[first[p] + leaving.ends[i]];
          fanValues[toTypes + edges] = types[e];
          edges += 1;
        }
        own.push(now[first[p] + k]);
      }
      for (let k = 0; k < part.own; k++) {
        const row = after[first[p] + k];
        if (row < 0) continue;
        let e = incoming.offsets[nodes[k]];
        for (let i = arriving!.offsets[k]; i < arriving!.offsets[k + 1]; i++, e++) {
          values[toFanEdges + count] = fanOf[arriving!.ends[i]] + positions[e];
          values[toInto + count] = row;
          count += 1;
        }
      }
    }
    const rows = batch.rowsAt(t);
    const senderRows = new Int32Array(nodeCount + own.length);
    for (let node = 0; node < nodeCount; node++) senderRows[node] = node;
    senderRows.set(own, nodeCount);
    const fan = planFan(cut(fanSlab, ['senders', 'receivers', 'types'], edges), {
      senders: senderRows.length,
      rows,
      types: edgeTypeCount,
    });
    const lists = cut(slab, ['fanEdges', 'into'], count);
    const fanEdges = rowIndex(lists.fanEdges, edges);
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
        into: rowIndex(lists.into, batch.rowsAt(t + 1)),
      },
      carry: rowIndex(batch.carry, rows),
    };
  };
}
