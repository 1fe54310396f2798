/**
 * Cone plans of random walks with a global state that reads h̄ = Σ aᵢhᵢ. Without messages a state depends on nothing but
 * its own past and the global state, and that only on nodes with attention. So an example has rows of the nodes that
 * attention leaves at some time, and of their receivers; a row is there from the beginning, as its state changes with
 * the global state before attention arrives. Edges leave only nodes that have attention.
 */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import { conePairFinder, indexOfNodes } from './cone-entries.ts';
import type { ConePairs } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { typedIndex } from './derived-indices.ts';
import { createScratch, createSlab, cut } from './int-scratch.ts';
import { fanSize } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanRows } from './plan.ts';

/** The rows, which are the entries too: the same at all times. */
interface WalkRows {
  /** Row → node. */
  readonly nodes: Int32Array;
  /** Row → example; sorted. */
  readonly examples: Int32Array;
  /** Pair example · nodeCount + node → row, −1 for none. */
  readonly rowOf: Int32Array;
}

export function walkCone(context: ConeContext): (batch: CheckedBatch) => FlowParts {
  const { graph, steps, reach } = context;
  const { nodeCount } = graph;
  const pairsOf = conePairFinder(steps);
  const rowsOf = rowFinder(context);
  const stepAt = stepBuilder(context);
  return (batch) => {
    const { sources, destinations, lossOnly } = batch;
    const arrivals = Array.from(sources, reach.from);
    const needs = lossOnly ? Array.from(destinations!, reach.walkNeedsOf) : undefined;
    const cone = pairsOf(arrivals, needs);
    const table = rowsOf(cone, batch);
    const count = table.nodes.length;
    const nodes = rowIndex(table.nodes, nodeCount);
    const examples = segments(table.examples, sources.length);
    const outputs = deferredIndex(() => {
      const [node, example] = [nodes.toArray(), examples.toArray()];
      return node.map((id, row) => example[row] * nodeCount + id);
    }, sources.length * nodeCount);
    const rows: Required<PlanRows> = { count, nodes, examples };
    const entries: PlanEntries = { count, outputs };
    return {
      rows: new Array<PlanRows>(steps).fill(rows),
      steps: Array.from({ length: steps }, (_, t) => stepAt(t, cone, rows, table.rowOf)),
      entries: new Array<PlanEntries>(steps + 1).fill(entries),
      sources: indexOfNodes(table.rowOf, sources, count),
      ...(destinations && { targets: indexOfNodes(table.rowOf, destinations, count) }),
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
  const scratch = createScratch('nodes', 'examples', 'rowOf');
  return ({ pairs, from }, { sources, destinations }) => {
    const { nodes, examples, rowOf } = scratch(sources.length * nodeCount);
    rowOf.fill(-1);
    for (let k = 0; k < pairs.length; k++) {
      if (from[k] === steps) continue;
      const node = pairs[k] % nodeCount;
      const first = pairs[k] - node;
      rowOf[first + node] = 0;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) rowOf[first + receivers[e]] = 0;
    }
    for (const ends of destinations ? [sources, destinations] : [sources]) {
      ends.forEach((node, example) => {
        rowOf[example * nodeCount + node] = 0;
      });
    }
    let count = 0;
    for (let example = 0; example < sources.length; example++) {
      for (let node = 0; node < nodeCount; node++) {
        const pair = example * nodeCount + node;
        if (rowOf[pair] < 0) continue;
        nodes[count] = node;
        examples[count] = example;
        rowOf[pair] = count++;
      }
    }
    return { nodes: nodes.subarray(0, count), examples: examples.subarray(0, count), rowOf };
  };
}

function stepBuilder({
  graph,
  outgoing,
}: ConeContext): (t: number, cone: ConePairs, rows: Required<PlanRows>, rowOf: Int32Array) => FlowStep {
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const { offsets, receivers: receiverNodes, types: edgeTypes, edges } = outgoing;
  const roomFor = createSlab('senders', 'receivers', 'types');
  return (t, cone, rows, rowOf) => {
    const slab = roomFor(fanSize(cone.pairs, outgoing));
    const { values, start } = slab;
    let count = 0;
    for (let k = 0; k < cone.pairs.length; k++) {
      if (t < cone.from[k] || t > cone.until[k]) continue;
      const pair = cone.pairs[k];
      const node = pair % nodeCount;
      const first = pair - node;
      const sender = rowOf[pair];
      const end = offsets[node + 1];
      for (let e = offsets[node]; e < end; e++) {
        values[start.senders + count] = sender;
        values[start.receivers + count] = rowOf[first + receiverNodes[e]];
        values[start.types + count] = edgeTypes[e];
        count += 1;
      }
    }
    const lists = cut(slab, ['senders', 'receivers', 'types'], count);
    const senders = segments(lists.senders, rows.count);
    const receivers = rowIndex(lists.receivers, rows.count);
    const types = rowIndex(lists.types, edgeTypeCount);
    const fan = {
      count,
      senders,
      receivers,
      types,
      typedSenders: typedIndex(senders, types),
      typedReceivers: typedIndex(receivers, types),
    };
    // The edges are sorted by sender, and those of one sender stand in the order of the graph's outgoing edges.
    const outputs = (): Int32Array => {
      const [senders, node, example] = [fan.senders, rows.nodes, rows.examples].map((ids) => ids.toArray());
      let edge = 0;
      return senders.map((sender, k) => {
        edge = k > 0 && sender === senders[k - 1] ? edge + 1 : offsets[node[sender]];
        return example[sender] * edgeCount + edges[edge];
      });
    };
    return {
      senders: { count: rows.count },
      fan,
      flow: {
        count,
        entries: fan.senders,
        arrivals: fan.receivers,
        outputs: deferredIndex(outputs, rows.examples.rows * edgeCount),
      },
    };
  };
}
