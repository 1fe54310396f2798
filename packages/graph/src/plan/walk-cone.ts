/**
 * Cone plans of random walks with a global state that reads h̄ = Σ aᵢhᵢ. Without messages a state depends on nothing but
 * its own past and the global state, and that only on nodes with attention. So an example has rows of the nodes that
 * attention leaves at some time, and of their receivers; a row is there from the beginning, as its state changes with
 * the global state before attention arrives. Edges leave only nodes that have attention.
 */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import { conePairs } from './cone-entries.ts';
import type { ConePairs } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { createScratch, filled } from './int-scratch.ts';
import { fanOutputs, fanSize } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanEntries, PlanRows, PlanStep } from './plan.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

/** The rows, which are the entries too: the same at all times. */
interface WalkRows {
  /** Row → pair example · nodeCount + node; sorted. */
  readonly pairs: Int32Array;
  /** Pair → row, −1 for none. */
  readonly rowOf: Int32Array;
}

export function walkCone(context: ConeContext): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach } = context;
  const { nodeCount } = graph;
  const rowsOf = rowFinder(context);
  const stepAt = stepBuilder(context);
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const examples = sources.length;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.walkNeedsOf) : undefined;
    const cone = conePairs(steps, arrivals, needs);
    const table = rowsOf(cone, batch);
    const count = table.pairs.length;
    const rows: PlanRows = {
      count,
      nodes: rowIndex(
        table.pairs.map((pair) => pair % nodeCount),
        nodeCount,
      ),
      examples: segments(
        table.pairs.map((pair) => Math.floor(pair / nodeCount)),
        examples,
      ),
    };
    const entries: PlanEntries = { count, outputs: deferredIndex(() => table.pairs, table.rowOf.length) };
    const rowsOfNodes = (nodes: Int32Array) =>
      rowIndex(
        nodes.map((node, example) => table.rowOf[example * nodeCount + node]),
        count,
      );
    return {
      rows: new Array<PlanRows>(steps).fill(rows),
      steps: Array.from({ length: steps }, (_, t) => stepAt(t, cone, table, examples)),
      flow: {
        entries: new Array<PlanEntries>(steps + 1).fill(entries),
        sources: rowsOfNodes(sources),
        ...(destinations && { targets: rowsOfNodes(destinations) }),
      },
    };
  };
}

/** The pairs that attention leaves at some time, their receivers, and the ends of every example. */
function rowFinder({
  graph,
  outgoing,
  steps,
}: ConeContext): (cone: ConePairs, batch: CheckedBatch) => WalkRows {
  const { nodeCount } = graph;
  const { offsets, receivers } = outgoing;
  return (cone, { sources, destinations }) => {
    const rowOf = new Int32Array(sources.length * nodeCount).fill(-1);
    for (let k = 0; k < cone.pairs.length; k++) {
      if (cone.from[k] === steps) continue;
      const node = cone.pairs[k] % nodeCount;
      const first = cone.pairs[k] - node;
      rowOf[first + node] = 0;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) rowOf[first + receivers[e]] = 0;
    }
    for (const nodes of destinations ? [sources, destinations] : [sources]) {
      nodes.forEach((node, example) => {
        rowOf[example * nodeCount + node] = 0;
      });
    }
    const pairs = new Int32Array(rowOf.length);
    let count = 0;
    for (let pair = 0; pair < rowOf.length; pair++) {
      if (rowOf[pair] < 0) continue;
      rowOf[pair] = count;
      pairs[count++] = pair;
    }
    return { pairs: pairs.subarray(0, count), rowOf };
  };
}

function stepBuilder({
  graph,
  outgoing,
}: ConeContext): (t: number, cone: ConePairs, table: WalkRows, examples: number) => PlanStep {
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, receivers, types } = outgoing;
  const scratch = createScratch('senders', 'receivers', 'types');
  return (t, cone, { pairs, rowOf }, examples) => {
    const found = scratch.room(fanSize(cone.pairs, outgoing));
    const { senders: fanSenders, receivers: fanReceivers, types: fanTypes } = found;
    let count = 0;
    for (let k = 0; k < cone.pairs.length; k++) {
      if (t < cone.from[k] || t > cone.until[k]) continue;
      const node = cone.pairs[k] % nodeCount;
      const first = cone.pairs[k] - node;
      const sender = rowOf[cone.pairs[k]];
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        fanSenders[count] = sender;
        fanReceivers[count] = rowOf[first + receivers[e]];
        fanTypes[count++] = types[e];
      }
    }
    const lists = filled(found, count);
    const fan = {
      count,
      senders: segments(lists.senders, pairs.length),
      receivers: rowIndex(lists.receivers, pairs.length),
      types: rowIndex(lists.types, edgeTypeCount),
    };
    const sendersNow = (): Int32Array => cone.pairs.filter((_, k) => cone.from[k] <= t && t <= cone.until[k]);
    const outputs = deferredIndex(() => fanOutputs(sendersNow(), outgoing), examples * edgeCount);
    return {
      senders: { count: pairs.length },
      fan,
      flow: { count, entries: fan.senders, arrivals: fan.receivers, outputs },
    };
  };
}
