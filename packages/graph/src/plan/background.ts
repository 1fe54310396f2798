/** The background of plans that keep one row per node: all of it, or the part that the attention of a batch can read. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { planFan, typedIndex } from './derived-indices.ts';
import type { PlanFan, PlanMessages, PlanRows } from './plan.ts';
import type { SharedValues } from './shared-values.ts';
import { pick } from './typed-ids.ts';

export interface Background {
  /** Row → node of the graph; absent where row k is node k. */
  readonly nodes?: RowIndex;
  readonly rows: PlanRows;
  /** By sender. */
  readonly fan: PlanFan;
  readonly messages: PlanMessages;
}

export function wholeBackground(
  { graph: { nodeCount, edgeTypeCount }, adjacency: { outOf } }: ConeContext,
  { shareAll }: SharedValues,
): Background {
  const counts = { senders: nodeCount, rows: nodeCount, types: edgeTypeCount };
  const fan = shareAll(planFan({ ...outOf, receivers: outOf.ends }, counts));
  return { rows: { count: nodeCount }, fan, messages: { ...fan, into: fan.receivers } };
}

export interface NarrowBackground extends Background {
  /** Edges given as positions among the outgoing edges of the graph, as edges of the fan; until the next one is made. */
  fanEdgesOf(this: void, positions: Int32Array): Int32Array;
}

/**
 * Makes backgrounds for the nodes that attention leaves, given by example: these nodes and their receivers; where states depend
 * on messages, also whoever these come from, T − 1 times over. None where half of the graph or more would be in one.
 *
 * One set of rows serves all times, as with entries. Rows that are found last do not receive all their messages, so that their
 * states become wrong after the first step. Nothing reads them by then.
 */
export function narrowBackgrounds({
  graph,
  adjacency,
  kind,
  numbering,
}: ConeContext): (leaving: readonly Int32Array[], steps: number) => NarrowBackground | undefined {
  const { nodeCount, edgeTypeCount } = graph;
  const { into, outOf } = adjacency;
  const incomingTypes = pick(graph.edgeTypes, graph.byReceiver.permutation);
  /** Where each incoming edge is among the outgoing ones. */
  const incomingPositions = pick(graph.bySender.inverse, graph.byReceiver.permutation);
  const readsSiblings = kind.reads === 'siblings';
  const mostRows = nodeCount / 2;

  /** Numbers the nodes by row. Says how many of them receive all their messages, and whose outgoing edges are read. */
  const find = (leaving: readonly Int32Array[], steps: number) => {
    const { ids } = numbering;
    const senders = new Set<number>();
    const send = (node: number): void => {
      if (senders.has(node)) return;
      senders.add(node);
      for (let i = outOf.offsets[node]; i < outOf.offsets[node + 1]; i++) numbering.of(outOf.ends[i]);
    };
    numbering.clear();
    for (const list of leaving) for (const node of list) numbering.of(node);
    for (let row = 0, end = numbering.count; row < end; row++) send(ids[row]);
    let receiving = 0;
    if (kind.reads === 'nothing') return { senders, receiving };
    for (let t = steps - 2; t >= 0 && numbering.count <= mostRows; t--) {
      for (const end = numbering.count; receiving < end; receiving++) {
        const node = ids[receiving];
        for (let i = into.offsets[node]; i < into.offsets[node + 1]; i++) {
          numbering.of(into.ends[i]);
          // A softmax over the edges of a sender reads all its receivers.
          if (readsSiblings) send(into.ends[i]);
        }
      }
    }
    return { senders, receiving };
  };

  /** The edges that leave `senders`; what is added to the position of each among those of the graph is found by row. */
  const fanFrom = (nodes: Int32Array, senders: ReadonlySet<number>) => {
    const lists = { senders: [] as number[], receivers: [] as number[], types: [] as number[] };
    const added = new Int32Array(nodes.length);
    nodes.forEach((node, row) => {
      if (!senders.has(node)) return;
      added[row] = lists.senders.length - outOf.offsets[node];
      for (let e = outOf.offsets[node]; e < outOf.offsets[node + 1]; e++) {
        lists.senders.push(row);
        lists.receivers.push(numbering.of(outOf.ends[e]));
        lists.types.push(outOf.types[e]);
      }
    });
    const counts = { senders: nodes.length, rows: nodes.length, types: edgeTypeCount };
    return { fan: planFan(lists, counts), added };
  };

  const messagesInto = (
    nodes: Int32Array,
    rows: number,
    fanCount: number,
    added: Int32Array,
  ): PlanMessages => {
    const lists = {
      senders: [] as number[],
      types: [] as number[],
      into: [] as number[],
      fan: [] as number[],
    };
    nodes.forEach((node, row) => {
      for (let i = into.offsets[node]; i < into.offsets[node + 1]; i++) {
        const sender = numbering.of(into.ends[i]);
        lists.senders.push(sender);
        lists.types.push(incomingTypes[i]);
        lists.into.push(row);
        lists.fan.push(incomingPositions[i] + added[sender]);
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
    const { senders, receiving } = find(leaving, steps);
    const rows = numbering.count;
    if (rows > mostRows) return undefined;
    const nodes = numbering.ids.slice(0, rows);
    const { fan, added } = fanFrom(nodes, senders);
    return {
      nodes: rowIndex(nodes, nodeCount),
      rows: { count: rows },
      fan,
      messages: messagesInto(nodes.subarray(0, receiving), rows, fan.count, added),
      fanEdgesOf: (positions) => positions.map((e) => e + added[numbering.of(outOf.senders[e])]),
    };
  };
}
