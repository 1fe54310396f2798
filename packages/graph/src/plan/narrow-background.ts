/**
 * The part of the background that the attention of a batch can read: the states of all nodes that it leaves, and of their
 * receivers; where states depend on messages, also whoever these come from, T − 1 times over.
 *
 * One set of rows serves all times, as with entries. A row that comes in last does not receive all its messages, and
 * nothing that is read depends on what becomes of it.
 */
import { rowIndex } from '@flowgrad/tensor';
import type { Background } from './background.ts';
import type { ConeContext } from './cone-context.ts';
import { planFan, typedIndex } from './derived-indices.ts';
import type { PlanMessages } from './plan.ts';
import { pick } from './typed-ids.ts';

export interface NarrowBackground extends Background {
  /** Edges given as positions among the outgoing edges of the graph, as edges of the fan. */
  fanEdgesOf(this: void, positions: Int32Array): Int32Array;
  /** The rows of nodes. */
  rowsOf(this: void, nodes: Int32Array): Int32Array;
}

/** Makes backgrounds for the nodes that attention leaves, given by example; none where half of the graph or more would be in one. */
export function narrowBackgrounds({
  graph,
  outgoing,
  adjacency,
  kind,
}: ConeContext): (leaving: readonly Int32Array[], steps: number) => NarrowBackground | undefined {
  const { nodeCount, edgeTypeCount } = graph;
  const { into, outOf } = adjacency;
  const incomingTypes = pick(graph.edgeTypes, graph.byReceiver.permutation);
  /** Where each incoming edge is among the outgoing ones. */
  const incomingPositions = pick(graph.bySender.inverse, graph.byReceiver.permutation);
  const readsSiblings = kind.reads === 'siblings';
  const mostRows = nodeCount / 2;
  // Both are −1 for nodes that are not in the background at hand.
  const placeOf = new Int32Array(nodeCount).fill(-1);
  const fanOf = new Int32Array(nodeCount).fill(-1);

  /** The nodes by place, how many of them receive all their messages, and whose outgoing edges are read. */
  const find = (leaving: readonly Int32Array[], steps: number) => {
    const nodes: number[] = [];
    const senders = new Set<number>();
    const join = (node: number): void => {
      if (placeOf[node] >= 0) return;
      placeOf[node] = nodes.length;
      nodes.push(node);
    };
    const send = (node: number): void => {
      if (senders.has(node)) return;
      senders.add(node);
      for (let i = outOf.offsets[node]; i < outOf.offsets[node + 1]; i++) join(outOf.ends[i]);
    };
    for (const list of leaving) list.forEach(join);
    nodes.slice().forEach(send);
    let receiving = 0;
    if (kind.reads === 'nothing') return { nodes, senders, receiving };
    for (let t = steps - 2; t >= 0 && nodes.length <= mostRows; t--) {
      for (const end = nodes.length; receiving < end; receiving++) {
        const node = nodes[receiving];
        for (let i = into.offsets[node]; i < into.offsets[node + 1]; i++) {
          join(into.ends[i]);
          // A softmax over the edges of a sender reads all its receivers.
          if (readsSiblings) send(into.ends[i]);
        }
      }
    }
    return { nodes, senders, receiving };
  };

  const fanFrom = (senders: Iterable<number>, rows: number) => {
    const lists = { senders: [] as number[], receivers: [] as number[], types: [] as number[] };
    for (const node of [...senders].sort((a, b) => placeOf[a] - placeOf[b])) {
      fanOf[node] = lists.senders.length;
      for (let e = outgoing.offsets[node]; e < outgoing.offsets[node + 1]; e++) {
        lists.senders.push(placeOf[node]);
        lists.receivers.push(placeOf[outgoing.receivers[e]]);
        lists.types.push(outgoing.types[e]);
      }
    }
    return planFan(lists, { senders: rows, rows, types: edgeTypeCount });
  };

  const messagesInto = (nodes: readonly number[], rows: number, fanCount: number): PlanMessages => {
    const lists = {
      senders: [] as number[],
      types: [] as number[],
      into: [] as number[],
      fan: [] as number[],
    };
    nodes.forEach((node, row) => {
      for (let i = into.offsets[node]; i < into.offsets[node + 1]; i++) {
        const sender = into.ends[i];
        lists.senders.push(placeOf[sender]);
        lists.types.push(incomingTypes[i]);
        lists.into.push(row);
        lists.fan.push(fanOf[sender] + incomingPositions[i] - outgoing.offsets[sender]);
      }
    });
    const senders = rowIndex(lists.senders, rows);
    const types = rowIndex(lists.types, edgeTypeCount);
    const receivers = rowIndex(lists.into, rows);
    return {
      count: lists.into.length,
      senders,
      types,
      typedSenders: typedIndex(senders, types),
      receivers,
      typedReceivers: typedIndex(receivers, types),
      fanEdges: readsSiblings ? rowIndex(lists.fan, fanCount) : 'outside',
      into: receivers,
    };
  };

  return (leaving, steps) => {
    // Examples may have nodes in common; where they are many, a part of the graph spares little.
    if (leaving.reduce((total, { length }) => total + length, 0) > mostRows) return undefined;
    const { nodes, senders, receiving } = find(leaving, steps);
    const rows = nodes.length;
    try {
      if (rows > mostRows) return undefined;
      const fan = fanFrom(senders, rows);
      const starts = new Map([...senders].map((node) => [node, fanOf[node] - outgoing.offsets[node]]));
      return {
        nodes: rowIndex(nodes, nodeCount),
        rows: { count: rows },
        fan,
        messages: messagesInto(nodes.slice(0, receiving), rows, fan.count),
        rowsOf: (wanted) => {
          const places = new Map(nodes.map((node, place) => [node, place]));
          return wanted.map((node) => places.get(node)!);
        },
        fanEdgesOf: (positions) => positions.map((e) => e + starts.get(outgoing.senders[e])!),
      };
    } finally {
      for (const node of nodes) placeOf[node] = fanOf[node] = -1;
    }
  };
}
