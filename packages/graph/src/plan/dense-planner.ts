/** The dense plan: every node of every example at every step. Row example · nodeCount + node, the same at all times. */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import { outgoingEdges } from './adjacency.ts';
import type { OutgoingEdges } from './adjacency.ts';
import { planFan, typedIndex } from './derived-indices.ts';
import { planFacts } from './plan-facts.ts';
import { checkBatch, checkPlannerOptions } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';
import type {
  FlowPlan,
  FlowStep,
  MarkPlan,
  MarkStep,
  PlanEntries,
  PlanFlow,
  PlanMessages,
  Planner,
  PlannerOptions,
  PlanRows,
} from './plan.ts';
import { createSharedValues } from './shared-values.ts';
import type { SharedValues } from './shared-values.ts';

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
  const { nodeCount } = graph;
  const outgoing = outgoingEdges(graph);
  const shared = createSharedValues('planner.dispose()');
  const facts = planFacts(graph, options, shared);
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
      ...facts,
      examples,
      complete: true,
      dense: true,
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
  { share, shareAll }: SharedValues,
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

  const lists = {
    senders: repeat(outgoing.senders, nodeCount),
    receivers: repeat(outgoing.ends, nodeCount),
    types: repeat(outgoing.types, 0),
  };
  const fan = shareAll(planFan(lists, { senders: count, rows: count, types: edgeTypeCount }));
  const flow: PlanFlow = {
    count: fan.count,
    entries: fan.senders,
    arrivals: fan.receivers,
    outputs: share(deferredIndex(() => repeat(outgoing.edges, edgeCount), examples * edgeCount)),
  };
  const ofExamples = kind.global && index(repeat(new Int32Array(edgeCount), 1), examples);
  const messages: PlanMessages = {
    ...fan,
    ...(ofExamples && { examples: ofExamples, typedExamples: share(typedIndex(ofExamples, fan.types)) }),
    attention: fan.senders,
    into: fan.receivers,
  };
  const last: FlowStep = { senders: { count }, fan, flow };
  const step = kind.reads === 'nothing' ? last : { ...last, messages };
  return { rows, identity, flowSteps: { step, last }, markStep: { senders: { count }, fan, messages } };
}
