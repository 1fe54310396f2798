/**
 * The edges of a graph sorted by one of their ends (compressed sparse rows). The edges of node v stand at the
 * sorted positions offsets[v] … offsets[v+1]−1, in the order in which the graph has them: the sort is stable,
 * so sums over a node's edges have one fixed order.
 */
export interface EdgeOrder {
  /** [edges] sorted position → edge. */
  readonly permutation: Int32Array;
  /** [edges] edge → sorted position; inverse[permutation[i]] = i. */
  readonly inverse: Int32Array;
  /** [nodes + 1] where each node's run of sorted positions begins. */
  readonly offsets: Int32Array;
}

/** Sorts edges by `ends` with a counting sort, O(nodes + edges). */
export function sortEdges(ends: Int32Array, nodeCount: number): EdgeOrder {
  const offsets = new Int32Array(nodeCount + 1);
  for (const node of ends) offsets[node + 1] += 1;
  for (let node = 0; node < nodeCount; node++) offsets[node + 1] += offsets[node];

  const next = offsets.slice(0, nodeCount);
  const permutation = new Int32Array(ends.length);
  const inverse = new Int32Array(ends.length);
  for (let edge = 0; edge < ends.length; edge++) {
    const position = next[ends[edge]]++;
    permutation[position] = edge;
    inverse[edge] = position;
  }
  return { permutation, inverse, offsets };
}
