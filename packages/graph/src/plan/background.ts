/** What plans share that keep one row per node: the rows, and the edges between them. */
import { rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { PlanFan, PlanMessages, PlanRows } from './plan.ts';
import type { SharedValues } from './shared-values.ts';
import { typedIds } from './typed-ids.ts';

export interface Background {
  /** Row → node of the graph; absent where row k is node k. */
  readonly nodes?: RowIndex;
  readonly rows: PlanRows;
  /** All edges, by sender. */
  readonly fan: PlanFan;
  readonly messages: PlanMessages;
}

export function createBackground(
  { nodeCount, edgeCount, edgeTypeCount }: Graph,
  { senders: senderIds, receivers: receiverIds, types: typeIds }: OutgoingEdges,
  { share }: SharedValues,
): Background {
  const typed = (nodes: Int32Array): RowIndex =>
    share(rowIndex(typedIds(nodes, typeIds, edgeTypeCount), nodeCount * edgeTypeCount));
  const senders = share(segments(senderIds, nodeCount));
  const receivers = share(rowIndex(receiverIds, nodeCount));
  const types = share(rowIndex(typeIds, edgeTypeCount));
  const typedSenders = typed(senderIds);
  const typedReceivers = typed(receiverIds);
  const count = edgeCount;
  return {
    rows: { count: nodeCount },
    fan: { count, senders, receivers, types, typedSenders, typedReceivers },
    messages: { count, senders, types, typedSenders, receivers, typedReceivers, into: receivers },
  };
}
