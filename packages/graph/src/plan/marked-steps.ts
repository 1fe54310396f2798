/** Steps of cone plans of regular networks: each row of t + 1 receives from the rows that its senders have at t. */
import { rowIndex } from '@flowgrad/tensor';
import type { Adjacency } from './adjacency.ts';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, splitTypedIndex, typedIndex } from './derived-indices.ts';
import type { ExampleCone } from './example-cone.ts';
import { createSlab, cut, writeLists } from './int-scratch.ts';
import type { MarkStep } from './plan.ts';
import { pick, typedIds } from './typed-ids.ts';

/** How many rows there are at t and at t + 1. */
interface RowCounts {
  readonly rows: number;
  readonly after: number;
}

type StepAt = (t: number, cones: readonly ExampleCone[], counts: RowCounts) => MarkStep;

/** Node → its row at t and at t + 1: its own, of the example that was entered, or else that of the background. */
function exampleRows(nodeCount: number) {
  const [now, after] = [0, 1].map(() => new Int32Array(nodeCount).map((_, node) => node));
  let [row, rowAfter] = [0, 0];
  return {
    now,
    after,
    begin: (): void => {
      row = rowAfter = nodeCount;
    },
    enter: ({ nodes, since }: ExampleCone, t: number): void => {
      for (let k = 0; k < nodes.length; k++) {
        if (since[k] <= t) now[nodes[k]] = row++;
        if (since[k] <= t + 1) after[nodes[k]] = rowAfter++;
      }
    },
    leave: ({ nodes }: ExampleCone): void => {
      for (let k = 0; k < nodes.length; k++) now[nodes[k]] = after[nodes[k]] = nodes[k];
    },
  };
}

/** How many messages the rows of t + 1 receive. */
function incomingCount(
  t: number,
  cones: readonly ExampleCone[],
  { into: { offsets, ends } }: Adjacency,
): number {
  let total = ends.length;
  for (const { nodes, since } of cones) {
    for (let k = 0; k < nodes.length; k++) {
      if (since[k] <= t + 1) total += offsets[nodes[k] + 1] - offsets[nodes[k]];
    }
  }
  return total;
}

/** The edges between the rows of the background, by sender and by receiver. They are all edges of the graph, and the same at all times. */
function backgroundEdges({ graph, outgoing, adjacency }: ConeContext) {
  const { edgeTypeCount, byReceiver, bySender } = graph;
  const { senders, receivers, types } = outgoing;
  const incomingTypes = pick(graph.edgeTypes, byReceiver.permutation);
  return {
    fan: { senders, receivers, types },
    messages: {
      fanEdges: pick(bySender.inverse, byReceiver.permutation),
      typedSenders: typedIds(adjacency.into.ends, incomingTypes, edgeTypeCount),
      into: pick(graph.receivers, byReceiver.permutation),
    },
    incomingTypes,
  };
}

/** The background stays where it is. */
function carryOf({ after }: RowCounts, nodeCount: number): Int32Array {
  const carry = new Int32Array(after);
  for (let node = 0; node < nodeCount; node++) carry[node] = node;
  return carry;
}

/** Steps for messages that read only the states of their sender and their receiver (GGNN, FullGN). */
export function endSteps(context: ConeContext): StepAt {
  const { graph, adjacency } = context;
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, ends } = adjacency.into;
  const { messages: background, incomingTypes } = backgroundEdges(context);
  const rows = exampleRows(nodeCount);
  const roomFor = createSlab('typedSenders', 'into');
  return (t, cones, counts) => {
    const slab = roomFor(incomingCount(t, cones, adjacency));
    const { values } = slab;
    const { typedSenders: toSenders, into: toInto } = slab.start;
    writeLists(slab, { typedSenders: background.typedSenders, into: background.into });
    const carried = carryOf(counts, nodeCount);
    const { now, after } = rows;
    let count = edgeCount;
    rows.begin();
    for (const cone of cones) {
      rows.enter(cone, t);
      const { nodes, since } = cone;
      for (let k = 0; k < nodes.length; k++) {
        if (since[k] > t + 1) continue;
        const node = nodes[k];
        const row = after[node];
        carried[row] = now[node];
        const end = offsets[node + 1];
        for (let i = offsets[node]; i < end; i++) {
          values[toSenders + count] = now[ends[i]] * edgeTypeCount + incomingTypes[i];
          values[toInto + count] = row;
          count += 1;
        }
      }
      rows.leave(cone);
    }
    const lists = cut(slab, ['typedSenders', 'into'], count);
    const carry = rowIndex(carried, counts.rows);
    const into = rowIndex(lists.into, counts.after);
    const typedSenders = rowIndex(lists.typedSenders, counts.rows * edgeTypeCount);
    const ofSenders = splitTypedIndex(typedSenders, edgeTypeCount);
    const receivers = pickedIndex(carry, into);
    return {
      senders: { count: counts.rows },
      messages: {
        count,
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
 * Steps for messages that depend on all receivers of their sender (GAT). A sender differs from the background if its own row
 * does, or the row of one of its receivers; such a sender is listed for its example, with all edges that leave it. Every
 * other sender sends what it sends in the background. A listed sender sends only to rows that differ too.
 */
export function siblingSteps(context: ConeContext): StepAt {
  const { graph, outgoing, adjacency } = context;
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, receivers: receiverNodes, types } = outgoing;
  const { offsets: incoming, ends } = adjacency.into;
  const background = backgroundEdges(context);
  // For each incoming edge its position among the edges that leave its sender.
  const positions = background.messages.fanEdges.map((e) => e - offsets[outgoing.senders[e]]);
  const rows = exampleRows(nodeCount);
  /** Node → where the edges that leave it begin in the fan: those of the example at hand if it is listed, else the background's. */
  const fanOf = offsets.slice(0, nodeCount);
  const roomForFan = createSlab('senders', 'receivers', 'types');
  const roomForMessages = createSlab('fanEdges', 'into');

  return (t, cones, counts) => {
    let size = edgeCount;
    for (const { senders } of cones) {
      senders!.nodes.forEach((node, k) => {
        if (senders!.since[k] <= t) size += offsets[node + 1] - offsets[node];
      });
    }
    const [fanSlab, slab] = [roomForFan(size), roomForMessages(incomingCount(t, cones, adjacency))];
    const [fanValues, values] = [fanSlab.values, slab.values];
    const { senders: toSenders, receivers: toReceivers, types: toTypes } = fanSlab.start;
    const { fanEdges: toFanEdges, into: toInto } = slab.start;
    writeLists(fanSlab, background.fan);
    writeLists(slab, { fanEdges: background.messages.fanEdges, into: background.messages.into });
    const carried = carryOf(counts, nodeCount);
    const own: number[] = [];
    const { now, after } = rows;
    let [edges, count] = [edgeCount, edgeCount];
    rows.begin();
    for (const cone of cones) {
      rows.enter(cone, t);
      const { nodes: senders, since: sending } = cone.senders!;
      for (let k = 0; k < senders.length; k++) {
        if (sending[k] > t) continue;
        const node = senders[k];
        fanOf[node] = edges;
        const end = offsets[node + 1];
        for (let e = offsets[node]; e < end; e++) {
          fanValues[toSenders + edges] = nodeCount + own.length;
          fanValues[toReceivers + edges] = now[receiverNodes[e]];
          fanValues[toTypes + edges] = types[e];
          edges += 1;
        }
        own.push(now[node]);
      }
      for (let k = 0; k < cone.nodes.length; k++) {
        if (cone.since[k] > t + 1) continue;
        const node = cone.nodes[k];
        carried[after[node]] = now[node];
        const end = incoming[node + 1];
        for (let i = incoming[node]; i < end; i++) {
          values[toFanEdges + count] = fanOf[ends[i]] + positions[i];
          values[toInto + count] = after[node];
          count += 1;
        }
      }
      for (let k = 0; k < senders.length; k++) fanOf[senders[k]] = offsets[senders[k]];
      rows.leave(cone);
    }
    const senderCount = nodeCount + own.length;
    const senderRows = new Int32Array(senderCount);
    for (let node = 0; node < nodeCount; node++) senderRows[node] = node;
    senderRows.set(own, nodeCount);
    const fan = planFan(cut(fanSlab, ['senders', 'receivers', 'types'], edges), {
      senders: senderCount,
      rows: counts.rows,
      types: edgeTypeCount,
    });
    const { fanEdges: ofFan, into } = cut(slab, ['fanEdges', 'into'], count);
    const fanEdges = rowIndex(ofFan, edges);
    return {
      senders: { count: senderCount, rows: rowIndex(senderRows, counts.rows) },
      fan,
      messages: {
        count,
        senders: pickedIndex(fan.senders, fanEdges),
        types: pickedIndex(fan.types, fanEdges),
        typedSenders: pickedIndex(fan.typedSenders, fanEdges),
        receivers: pickedIndex(fan.receivers, fanEdges),
        typedReceivers: pickedIndex(fan.typedReceivers, fanEdges),
        fanEdges,
        into: rowIndex(into, counts.after),
      },
      carry: rowIndex(carried, counts.rows),
    };
  };
}
