import { rejectUnknownOptions } from '@flowgrad/tensor';
import { sortEdges } from './edge-order.ts';
import type { EdgeOrder } from './edge-order.ts';
import { readCount, readIndices } from './read-indices.ts';

/**
 * A directed graph with typed edges. Edge e runs from senders[e] to receivers[e] and has type edgeTypes[e].
 */
export interface Graph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly edgeTypeCount: number;
  /** [edges] each in 0 … nodeCount−1. */
  readonly senders: Int32Array;
  /** [edges] each in 0 … nodeCount−1. */
  readonly receivers: Int32Array;
  /** [edges] each in 0 … edgeTypeCount−1. */
  readonly edgeTypes: Int32Array;
  /** Outgoing edges of every node, side by side. */
  readonly bySender: EdgeOrder;
  /** Incoming edges of every node, side by side. */
  readonly byReceiver: EdgeOrder;
}

/** What `createGraph` makes a graph of: edge e leads from senders[e] to receivers[e]. */
export interface GraphInput {
  readonly nodeCount: number;
  readonly senders: ArrayLike<number>;
  readonly receivers: ArrayLike<number>;
  /** All edges have type 0 when left out. */
  readonly edgeTypes?: ArrayLike<number>;
  /** The largest type + 1 when left out. */
  readonly edgeTypeCount?: number;
}

const where = 'createGraph';

/** Checks a graph given as index lists, copies it and builds both sorted orders, once. */
export function createGraph(input: GraphInput): Graph {
  rejectUnknownOptions(where, input, ['nodeCount', 'senders', 'receivers', 'edgeTypes', 'edgeTypeCount']);
  const nodeCount = readCount(where, 'nodeCount', input.nodeCount);
  const edgeCount = readCount(where, 'senders.length', input.senders?.length);
  const nodes = { count: nodeCount, countName: 'nodeCount', length: edgeCount };
  const senders = readIndices(where, 'senders', input.senders, nodes);
  const receivers = readIndices(where, 'receivers', input.receivers, nodes);
  const { edgeTypes, edgeTypeCount } = readEdgeTypes(input, edgeCount);

  const bySender = sortEdges(senders, nodeCount);
  rejectDuplicates(bySender, senders, receivers, edgeTypes);
  const byReceiver = sortEdges(receivers, nodeCount);
  return { nodeCount, edgeCount, edgeTypeCount, senders, receivers, edgeTypes, bySender, byReceiver };
}

function readEdgeTypes(input: GraphInput, length: number): { edgeTypes: Int32Array; edgeTypeCount: number } {
  const given = input.edgeTypeCount;
  if (input.edgeTypes === undefined) {
    const edgeTypeCount = given === undefined ? 1 : readCount(where, 'edgeTypeCount', given);
    if (edgeTypeCount === 0 && length > 0) {
      throw new RangeError(`${where}: expected edgeTypeCount of at least 1 for ${length} edges, got 0`);
    }
    return { edgeTypes: new Int32Array(length), edgeTypeCount };
  }
  if (given !== undefined) {
    const edgeTypeCount = readCount(where, 'edgeTypeCount', given);
    const range = { count: edgeTypeCount, countName: 'edgeTypeCount', length };
    return { edgeTypes: readIndices(where, 'edgeTypes', input.edgeTypes, range), edgeTypeCount };
  }
  const unbounded = { count: 2 ** 31 - 1, countName: 'the largest int32', length };
  const edgeTypes = readIndices(where, 'edgeTypes', input.edgeTypes, unbounded);
  let edgeTypeCount = 1;
  for (const type of edgeTypes) edgeTypeCount = Math.max(edgeTypeCount, type + 1);
  return { edgeTypes, edgeTypeCount };
}

/** Edges of several types may join the same two nodes; the same edge twice is taken for a mistake. */
function rejectDuplicates(
  { permutation, offsets }: EdgeOrder,
  senders: Int32Array,
  receivers: Int32Array,
  edgeTypes: Int32Array,
): void {
  for (let node = 0; node + 1 < offsets.length; node++) {
    const outgoing = permutation.slice(offsets[node], offsets[node + 1]);
    outgoing.sort((a, b) => receivers[a] - receivers[b] || edgeTypes[a] - edgeTypes[b] || a - b);
    for (let i = 1; i < outgoing.length; i++) {
      const [first, second] = [outgoing[i - 1], outgoing[i]];
      if (receivers[first] === receivers[second] && edgeTypes[first] === edgeTypes[second]) {
        const edge = `${senders[first]} → ${receivers[first]} of type ${edgeTypes[first]}`;
        throw new RangeError(
          `${where}: expected each edge once, got ${edge} as edges ${first} and ${second}`,
        );
      }
    }
  }
}
