interface IndexRange {
  /** Indices lie in 0 … count−1. */
  readonly count: number;
  readonly countName: string;
  readonly length: number;
}

const INT32_MAX = 2 ** 31 - 1;

export function readCount(where: string, name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > INT32_MAX) {
    throw new RangeError(
      `${where}: expected ${name} to be an integer in 0..${INT32_MAX}, got ${String(value)}`,
    );
  }
  return value;
}

/** Checks a node, the one at `index` of a list if it is given. */
export function readNode(
  where: string,
  name: string,
  node: number,
  nodeCount: number,
  index?: number,
): number {
  if (!Number.isInteger(node) || node < 0 || node >= nodeCount) {
    const what = index === undefined ? name : `${name}[${index}]`;
    const range =
      nodeCount === 0 ? 'a graph with nodes' : `${what} in 0..${nodeCount - 1} (nodeCount ${nodeCount})`;
    throw new RangeError(`${where}: expected ${range}, got ${what} ${node}`);
  }
  return node;
}

/** Checks an edge that is hidden, or that something else is said of. */
export function readEdge(where: string, name: string, edge: number, edgeCount: number): number {
  if (!Number.isInteger(edge) || edge < 0 || edge >= edgeCount) {
    const range = edgeCount === 0 ? `no ${name} edge (edgeCount 0)` : `${name} edges in 0..${edgeCount - 1}`;
    throw new RangeError(`${where}: expected ${range}, got ${edge}`);
  }
  return edge;
}

/** Copies a list of indices into int32, naming the first that is out of range. */
export function readIndices(
  where: string,
  name: string,
  values: ArrayLike<number>,
  { count, countName, length }: IndexRange,
): Int32Array {
  if (values?.length !== length) {
    throw new RangeError(
      `${where}: expected ${name} of length ${length} (senders.length), got ${values?.length ?? 'none'}`,
    );
  }
  const indices = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (!Number.isInteger(value) || value < 0 || value >= count) {
      throw new RangeError(
        `${where}: expected ${name}[${i}] to be an integer in 0..${count - 1} (${countName} ${count}), got ${value}`,
      );
    }
    indices[i] = value;
  }
  return indices;
}
