/** Places for nodes by how far they are from each other: a start from which forces need not untangle a graph. */
import type { RandomStream } from '@flowgrad/data';
import type { Graph } from '@flowgrad/graph';
import type { NodePositions } from '../protocol/world-protocol.ts';

const pivotCount = 24;
const rounds = 40;

/**
 * Pivot MDS (Brandes and Pich, 2007): with D [nodes, pivots] the squared distances to some pivots, centred both ways, nodes lie at
 * D · v for the two leading right singular vectors v. About one unit for each edge on the way.
 */
export function firstPlaces(graph: Graph, random: RandomStream): NodePositions {
  const { nodeCount } = graph;
  const distances = pivotDistances(graph, random);
  const columns = distances.map((hops) => Float64Array.from(hops, (each) => each * each));
  centre(columns);
  const first = leading(columns, undefined, random);
  const second = leading(columns, first, random);
  const jitter = (): number => (random.nextUint32() / 2 ** 32 - 0.5) / 2;
  const along = (vector: Float64Array): Float32Array => {
    const values = Float64Array.from({ length: nodeCount }, (_, node) => dot(columns, vector, node));
    const most = values.reduce((largest, each) => Math.max(largest, Math.abs(each)), 0);
    const far = Math.max(...distances.map((hops) => hops.reduce((a, b) => Math.max(a, b), 0)));
    // Nodes that look the same to all pivots would lie on one point.
    return Float32Array.from(values, (each) => (most > 0 ? (each / most) * (far / 2) : 0) + jitter());
  };
  return { x: along(first), y: along(second) };
}

/** Each pivot is the farthest from those before it. What no way leads to counts as far away. */
function pivotDistances(graph: Graph, random: RandomStream): Int32Array[] {
  const { nodeCount } = graph;
  const nearest = new Int32Array(nodeCount).fill(nodeCount + 1);
  const found: Int32Array[] = [];
  let pivot = random.below(nodeCount);
  for (let i = 0; i < Math.min(pivotCount, nodeCount); i++) {
    const hops = hopsFrom(graph, pivot);
    found.push(hops);
    for (let node = 0; node < nodeCount; node++) nearest[node] = Math.min(nearest[node], hops[node]);
    pivot = nearest.reduce((best, each, node) => (each > nearest[best] ? node : best), 0);
  }
  return found;
}

/** Along edges in both directions. */
function hopsFrom({ nodeCount, senders, receivers, bySender, byReceiver }: Graph, from: number): Int32Array {
  const hops = new Int32Array(nodeCount).fill(-1);
  const queue = [from];
  hops[from] = 0;
  for (const node of queue) {
    for (const [{ offsets, permutation }, others] of [
      [bySender, receivers],
      [byReceiver, senders],
    ] as const) {
      for (let i = offsets[node]; i < offsets[node + 1]; i++) {
        const other = others[permutation[i]];
        if (hops[other] >= 0) continue;
        hops[other] = hops[node] + 1;
        queue.push(other);
      }
    }
  }
  const beyond = hops[queue[queue.length - 1]] + 2;
  return hops.map((each) => (each < 0 ? beyond : each));
}

/** Rows and columns have mean 0 then. */
function centre(columns: readonly Float64Array[]): void {
  const nodeCount = columns[0].length;
  const means = columns.map((column) => column.reduce((sum, each) => sum + each, 0) / nodeCount);
  const mean = means.reduce((sum, each) => sum + each, 0) / means.length;
  for (let node = 0; node < nodeCount; node++) {
    const row = columns.reduce((sum, column) => sum + column[node], 0) / columns.length;
    columns.forEach((column, i) => (column[node] = -(column[node] - row - means[i] + mean) / 2));
  }
}

const dot = (columns: readonly Float64Array[], vector: Float64Array, node: number): number =>
  columns.reduce((sum, column, i) => sum + column[node] * vector[i], 0);

/** The leading right singular vector, at right angles to `other`, by repeated products with DᵀD. */
function leading(
  columns: readonly Float64Array[],
  other: Float64Array | undefined,
  random: RandomStream,
): Float64Array {
  let vector = Float64Array.from(columns, () => random.nextUint32() / 2 ** 32 - 0.5);
  const products = columns.map((a) =>
    columns.map((b) => a.reduce((sum, each, node) => sum + each * b[node], 0)),
  );
  for (let round = 0; round < rounds; round++) {
    const next = Float64Array.from(products, (row) =>
      row.reduce((sum, each, i) => sum + each * vector[i], 0),
    );
    const share = other ? next.reduce((sum, each, i) => sum + each * other[i], 0) : 0;
    const free = next.map((each, i) => each - share * (other?.[i] ?? 0));
    const length = Math.sqrt(free.reduce((sum, each) => sum + each * each, 0));
    if (length === 0) return free;
    vector = free.map((each) => each / length);
  }
  return vector;
}
