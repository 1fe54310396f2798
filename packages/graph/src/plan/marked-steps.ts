/** Steps of cone plans of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex, segments } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { createScratch, createSlab, cut, writeLists } from './int-scratch.ts';
import type { IntLists } from './int-scratch.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { MarkStep } from './plan.ts';
import { carrier } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';
import { pick, typedIds } from './typed-ids.ts';

type StepBuilder = (before: RowTable, after: RowTable) => MarkStep;

/** How many messages the rows receive. */
function incomingCount({ count, nodes }: RowTable, incoming: Int32Array): number {
  let total = 0;
  for (let row = 0; row < count; row++) total += incoming[nodes[row] + 1] - incoming[nodes[row]];
  return total;
}

/** The edges between the rows of the background, by sender and by receiver. They are all edges of the graph, and the same at all times. */
function backgroundEdges(graph: Graph, { senders, receivers, types }: OutgoingEdges) {
  const { edgeTypeCount, byReceiver, bySender } = graph;
  const typed = (nodes: Int32Array, ofType: Int32Array): Int32Array => typedIds(nodes, ofType, edgeTypeCount);
  const { permutation } = byReceiver;
  return {
    fan: { senders, typedSenders: typed(senders, types), typedReceivers: typed(receivers, types) },
    messages: {
      fanEdges: pick(bySender.inverse, permutation),
      typedSenders: typed(pick(graph.senders, permutation), pick(graph.edgeTypes, permutation)),
      into: pick(graph.receivers, permutation),
    },
  };
}

/** Builds steps for messages that read only the states of their sender and their receiver (GGNN, FullGN). */
export function endStepBuilder({ graph, outgoing }: ConeContext): StepBuilder {
  const { nodeCount, edgeCount, edgeTypeCount, byReceiver } = graph;
  const { offsets, permutation } = byReceiver;
  const senders = pick(graph.senders, permutation);
  const types = pick(graph.edgeTypes, permutation);
  const background = backgroundEdges(graph, outgoing).messages;
  const carried = carrier();
  const roomFor = createSlab('typedSenders', 'into');
  const edgesInto = ({ rowOf }: RowTable, after: RowTable): IntLists<'typedSenders' | 'into'> => {
    const slab = roomFor(incomingCount(after, offsets));
    const { values } = slab;
    const { typedSenders, into } = slab.start;
    writeLists(slab, { typedSenders: background.typedSenders, into: background.into });
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
    const lists = edgesInto(before, after);
    const carry = carried(before, after);
    const into = rowIndex(lists.into, after.count);
    const typedSenders = rowIndex(lists.typedSenders, before.count * edgeTypeCount);
    const ofSenders = splitTypedIndex(typedSenders, edgeTypeCount);
    const receivers = pickedIndex(carry, into);
    return {
      senders: { count: before.count },
      messages: {
        count: lists.into.length,
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
 * Builds steps for messages that depend on all receivers of their sender (GAT). A sender differs from the background if
 * its own row does, or the row of one of its receivers; such a sender is listed for its example, with all edges that leave
 * it. Every other sender sends what it sends in the background. A listed sender sends only to rows that differ too.
 */
export function siblingStepBuilder({ graph, outgoing }: ConeContext): StepBuilder {
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, receivers: receiverNodes, types } = outgoing;
  const { permutation, offsets: incoming } = graph.byReceiver;
  // For each edge, in the order of receivers: its sender, and its position among the edges that leave this sender.
  const senderNodes = pick(graph.senders, permutation);
  const positions = permutation.map((edge) => graph.bySender.inverse[edge] - offsets[graph.senders[edge]]);
  const background = backgroundEdges(graph, outgoing);
  const carried = carrier();
  const scratch = {
    senders: createScratch('rows'),
    /** Pair → where the edges that leave it begin in the fan: its own edges if it is listed, else the background's. */
    pairs: createScratch('fanOf'),
  };
  const roomForFan = createSlab('senders', 'typedSenders', 'typedReceivers');
  const roomForMessages = createSlab('fanEdges', 'typedSenders', 'into');

  const isOwn = (node: number, first: number, rowOf: Int32Array): boolean => {
    if (rowOf[first + node] >= nodeCount) return true;
    const end = offsets[node + 1];
    for (let e = offsets[node]; e < end; e++) {
      if (rowOf[first + receiverNodes[e]] >= nodeCount) return true;
    }
    return false;
  };

  /** The fan of the background, followed by that of every listed sender. */
  const fanAt = ({ rowOf }: RowTable) => {
    const pairCount = rowOf.length;
    const { rows } = scratch.senders(nodeCount + pairCount);
    const { fanOf } = scratch.pairs(pairCount);
    const slab = roomForFan((1 + pairCount / nodeCount) * edgeCount);
    const { values } = slab;
    const { senders: toSenders, typedSenders, typedReceivers } = slab.start;
    writeLists(slab, background.fan);
    for (let node = 0; node < nodeCount; node++) rows[node] = node;
    let [senders, edges] = [nodeCount, edgeCount];
    for (let first = 0; first < pairCount; first += nodeCount) {
      for (let node = 0; node < nodeCount; node++) {
        if (!isOwn(node, first, rowOf)) {
          fanOf[first + node] = offsets[node];
          continue;
        }
        fanOf[first + node] = edges;
        rows[senders] = rowOf[first + node];
        const end = offsets[node + 1];
        for (let e = offsets[node]; e < end; e++) {
          values[toSenders + edges] = senders;
          values[typedSenders + edges] = senders * edgeTypeCount + types[e];
          values[typedReceivers + edges] = rowOf[first + receiverNodes[e]] * edgeTypeCount + types[e];
          edges += 1;
        }
        senders += 1;
      }
    }
    const fan = cut(slab, ['senders', 'typedSenders', 'typedReceivers'], edges);
    return { rows: rows.subarray(0, senders), fanOf, fan };
  };

  const edgesInto = (after: RowTable, fanOf: Int32Array, ofFan: Int32Array) => {
    const slab = roomForMessages(incomingCount(after, incoming));
    const { values } = slab;
    const { fanEdges, typedSenders, into } = slab.start;
    writeLists(slab, background.messages);
    let count = edgeCount;
    for (let row = nodeCount; row < after.count; row++) {
      const node = after.nodes[row];
      const first = after.pairs[row] - node;
      const end = incoming[node + 1];
      for (let i = incoming[node]; i < end; i++) {
        const fanEdge = fanOf[first + senderNodes[i]] + positions[i];
        values[fanEdges + count] = fanEdge;
        values[typedSenders + count] = ofFan[fanEdge];
        values[into + count] = row;
        count += 1;
      }
    }
    return cut(slab, ['fanEdges', 'typedSenders', 'into'], count);
  };

  return (before, after) => {
    const { rows, fanOf, fan } = fanAt(before);
    const lists = edgesInto(after, fanOf, fan.typedSenders);
    const count = rows.length;
    const typedReceivers = rowIndex(fan.typedReceivers, before.count * edgeTypeCount);
    const ofFan = splitTypedIndex(typedReceivers, edgeTypeCount);
    const typedSenders = rowIndex(lists.typedSenders, count * edgeTypeCount);
    const senderParts = splitTypedIndex(typedSenders, edgeTypeCount);
    const fanEdges = rowIndex(lists.fanEdges, fan.senders.length);
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
        count: lists.into.length,
        senders: senderParts.ids,
        types: senderParts.types,
        typedSenders,
        receivers: pickedIndex(ofFan.ids, fanEdges),
        typedReceivers: pickedIndex(typedReceivers, fanEdges),
        fanEdges,
        into: rowIndex(lists.into, after.count),
      },
      carry: carried(before, after),
    };
  };
}
