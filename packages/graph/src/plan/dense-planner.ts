/** The dense plan: every node of every example at every step. Row example · nodeCount + node, the same at all times. */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import { nodeFacts } from './node-facts.ts';
import { outgoingEdges } from './outgoing-edges.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import { checkBatch, checkPlannerOptions } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';
import type {
  FlowPlan,
  FlowStep,
  MarkPlan,
  MarkStep,
  PlanEntries,
  PlanFan,
  PlanFlow,
  PlanMessages,
  Planner,
  PlannerOptions,
  PlanRows,
} from './plan.ts';
import { createSharedValues } from './shared-values.ts';
import type { SharedValues } from './shared-values.ts';
import { typedIds } from './typed-ids.ts';

/** What all batches of one size share, which is nearly everything. */
interface DenseIndices {
  readonly rows: PlanRows;
  /** Row → itself. */
  readonly identity: RowIndex;
  /** Nothing reads the states after the last step. */
  readonly flowSteps: { readonly step: FlowStep; readonly last: FlowStep };
  readonly markStep: MarkStep;
}

/** Makes plans that compute everything for every example. They are simple, and other plans must give the same results. */
export function createDensePlanner(graph: Graph, options: PlannerOptions): Planner {
  const where = 'createDensePlanner';
  checkPlannerOptions(where, options);
  const { steps, kind } = options;
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const outgoing = outgoingEdges(graph);
  const shared = createSharedValues('planner.dispose()');
  const facts = nodeFacts(graph, shared);
  const bySize = new Map<number, DenseIndices>();
  const indicesOf = (examples: number): DenseIndices => {
    const known = bySize.get(examples) ?? denseIndices(graph, outgoing, examples, kind, shared);
    bySize.set(examples, known);
    return known;
  };
  const plan = (given: Parameters<Planner['plan']>[0]): FlowPlan | MarkPlan => {
    const batch = checkBatch('plan', given, graph, kind);
    const examples = batch.sources.length;
    const sizes = {
      kind,
      examples,
      nodeCount,
      edgeCount,
      edgeTypeCount,
      length: steps,
      complete: true,
      dense: true,
      ...facts,
      ...(batch.asked && { asked: batch.asked }),
    };
    const { rows, identity, flowSteps, markStep } = indicesOf(examples);
    const { sources, destinations } = batch;
    const rowsOf = (nodes: Int32Array): RowIndex =>
      rowIndex(
        nodes.map((node, example) => example * nodeCount + node),
        rows.count,
      );
    if (kind.flow) {
      return {
        ...sizes,
        rows: new Array<PlanRows>(steps).fill(rows),
        steps: Array.from({ length: steps }, (_, t) => (t === steps - 1 ? flowSteps.last : flowSteps.step)),
        entries: new Array<PlanEntries>(steps + 1).fill({ count: rows.count, outputs: identity }),
        sources: rowsOf(sources),
        ...(batch.asked && { starts: rowsOf(sources) }),
        ...(destinations && { targets: rowsOf(destinations) }),
      };
    }
    return {
      ...sizes,
      rows: new Array<PlanRows>(steps + 1).fill(rows),
      steps: new Array<MarkStep>(steps).fill(markStep),
      sources: rowsOf(sources),
      outputs: identity,
      ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
    };
  };
  const follow: Planner['follow'] = async () => {
    throw new TypeError(
      'follow: expected a cone planner for a model without a global state of messages, got a dense one',
    );
  };
  return { plan, follow, dispose: shared.dispose };
}

function denseIndices(
  { nodeCount, edgeCount, edgeTypeCount }: Graph,
  outgoing: OutgoingEdges,
  examples: number,
  kind: PlanKind,
  { share }: SharedValues,
): DenseIndices {
  const count = examples * nodeCount;
  /** `values` once per example, each time raised by `stride`. */
  const repeat = (values: Int32Array, stride: number): Int32Array => {
    const result = new Int32Array(examples * values.length);
    for (let i = 0; i < result.length; i++) {
      const example = Math.floor(i / values.length);
      result[i] = example * stride + values[i - example * values.length];
    }
    return result;
  };
  const typed = (rows: Int32Array, types: Int32Array): Int32Array => typedIds(rows, types, edgeTypeCount);
  const index = (ids: Int32Array, rows: number): RowIndex => share(rowIndex(ids, rows));

  const identity = share(
    segments(
      Int32Array.from({ length: count }, (_, row) => row),
      count,
    ),
  );
  const node = Int32Array.from({ length: nodeCount }, (_, i) => i);
  const rows: PlanRows = {
    count,
    nodes: index(repeat(node, 0), nodeCount),
    examples: index(repeat(new Int32Array(nodeCount), 1), examples),
  };

  const edges = examples * edgeCount;
  const senderIds = repeat(outgoing.senders, nodeCount);
  const receiverIds = repeat(outgoing.receivers, nodeCount);
  const typeIds = repeat(outgoing.types, 0);
  const senders = share(segments(senderIds, count));
  const receivers = index(receiverIds, count);
  const types = index(typeIds, edgeTypeCount);
  const typedSenders = index(typed(senderIds, typeIds), count * edgeTypeCount);
  const typedReceivers = index(typed(receiverIds, typeIds), count * edgeTypeCount);

  const fan: PlanFan = { count: edges, senders, receivers, types, typedSenders, typedReceivers };
  const flow: PlanFlow = {
    count: edges,
    entries: senders,
    arrivals: receivers,
    outputs: share(deferredIndex(() => repeat(outgoing.edges, edgeCount), examples * edgeCount)),
  };
  const ofExamples = repeat(new Int32Array(edgeCount), 1);
  const messages: PlanMessages = {
    count: edges,
    senders,
    types,
    typedSenders,
    receivers,
    typedReceivers,
    ...(kind.global && {
      examples: index(ofExamples, examples),
      typedExamples: index(typed(ofExamples, typeIds), examples * edgeTypeCount),
    }),
    attention: senders,
    into: receivers,
  };
  const last: FlowStep = { senders: { count }, fan, flow };
  const step = kind.reads === 'nothing' ? last : { ...last, messages };
  return { rows, identity, flowSteps: { step, last }, markStep: { senders: { count }, fan, messages } };
}
