/** Batches of many small graphs: one graph that has them side by side. */
import { rejectUnknownOptions, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { EdgeOrder } from './edge-order.ts';
import type { Graph } from './graph.ts';
import { readCount } from './read-indices.ts';

/** What `joinGraphs` can be told. */
export interface JoinOptions {
  /** The edge types of the result, where those of the parts differ: at least the most that a part has. */
  readonly edgeTypeCount?: number;
}

/** Graphs side by side. No edge leads from one to another. */
export interface JoinedGraphs {
  readonly graph: Graph;
  /**
   * Node → the graph it came from, for readouts per graph: `segmentMean(h, graphOf)`. It belongs to the innermost scope,
   * as tensors do.
   */
  readonly graphOf: RowIndex;
  /** [graphs + 1]: node v of graph g is node nodeOffsets[g] + v. */
  readonly nodeOffsets: Int32Array;
  /** [graphs + 1]: edge e of graph g is edge edgeOffsets[g] + e. */
  readonly edgeOffsets: Int32Array;
}

const where = 'joinGraphs';

/**
 * One graph made of all of `graphs`, their nodes and edges one after another. A graph without nodes takes part: its readout is
 * that of no nodes. As the parts are checked and sorted already, joining them only adds offsets.
 */
export function joinGraphs(graphs: readonly Graph[], options: JoinOptions = {}): JoinedGraphs {
  rejectUnknownOptions(where, options, ['edgeTypeCount']);
  const edgeTypeCount = commonTypeCount(graphs, options.edgeTypeCount);
  const nodeOffsets = offsetsOf('nodes', graphs, ({ nodeCount }) => nodeCount);
  const edgeOffsets = offsetsOf('edges', graphs, ({ edgeCount }) => edgeCount);
  const [nodeCount, edgeCount] = [nodeOffsets[graphs.length], edgeOffsets[graphs.length]];

  /** A list with a value per edge; the values of part g are raised by shifts[g]. */
  const perEdge = (list: (part: Graph) => Int32Array, shifts?: Int32Array): Int32Array => {
    const joined = new Int32Array(edgeCount);
    graphs.forEach((part, g) => {
      writeShifted(joined, edgeOffsets[g], list(part), shifts?.[g] ?? 0);
    });
    return joined;
  };
  const order = (by: 'bySender' | 'byReceiver'): EdgeOrder => {
    const offsets = new Int32Array(nodeCount + 1);
    graphs.forEach((part, g) => {
      writeShifted(offsets, nodeOffsets[g], part[by].offsets, edgeOffsets[g]);
    });
    const permutation = perEdge((part) => part[by].permutation, edgeOffsets);
    return { permutation, inverse: perEdge((part) => part[by].inverse, edgeOffsets), offsets };
  };
  const graph: Graph = {
    nodeCount,
    edgeCount,
    edgeTypeCount,
    senders: perEdge(({ senders }) => senders, nodeOffsets),
    receivers: perEdge(({ receivers }) => receivers, nodeOffsets),
    edgeTypes: perEdge(({ edgeTypes }) => edgeTypes),
    bySender: order('bySender'),
    byReceiver: order('byReceiver'),
  };
  const ids = new Int32Array(nodeCount);
  graphs.forEach((_, g) => ids.fill(g, nodeOffsets[g], nodeOffsets[g + 1]));
  return { graph, graphOf: segments(ids, graphs.length), nodeOffsets, edgeOffsets };
}

function writeShifted(to: Int32Array, start: number, values: Int32Array, shift: number): void {
  for (let i = 0; i < values.length; i++) to[start + i] = values[i] + shift;
}

function offsetsOf(what: string, graphs: readonly Graph[], countOf: (graph: Graph) => number): Int32Array {
  const offsets = new Int32Array(graphs.length + 1);
  let total = 0;
  graphs.forEach((graph, g) => {
    total = readCount(where, `the number of all ${what}`, total + countOf(graph));
    offsets[g + 1] = total;
  });
  return offsets;
}

function commonTypeCount(graphs: readonly Graph[], given: number | undefined): number {
  if (given !== undefined) {
    const edgeTypeCount = readCount(where, 'edgeTypeCount', given);
    const larger = graphs.findIndex((graph) => graph.edgeTypeCount > edgeTypeCount);
    if (larger < 0) return edgeTypeCount;
    throw new RangeError(
      `${where}: expected edgeTypeCount of at least ${graphs[larger].edgeTypeCount}, as graphs[${larger}] has, got ${given}`,
    );
  }
  const edgeTypeCount = graphs[0]?.edgeTypeCount ?? 1;
  const other = graphs.findIndex((graph) => graph.edgeTypeCount !== edgeTypeCount);
  if (other < 0) return edgeTypeCount;
  throw new RangeError(
    `${where}: expected graphs with the same edgeTypeCount, got ${edgeTypeCount} of graphs[0] and ` +
      `${graphs[other].edgeTypeCount} of graphs[${other}] (give edgeTypeCount)`,
  );
}
