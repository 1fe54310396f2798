/** Graphs of any size to measure on. Every node has a self-loop and nine edges to others, unless it is a hub. */
import { createGraph, type Graph } from '@flowgrad/graph';

/** How a graph of so many nodes is made; some round the number to what they can do. */
export type MakeGraph = (nodeCount: number) => Graph;

const degree = 10;

/** Whole numbers in 0 … below − 1 that look random and are always the same. */
export function createDraws(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // Splitmix32.
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) % below;
  };
}

/** A square lattice, closed to a torus: each node leads to itself, its eight neighbours, and one two columns away. */
export const geometricGraph: MakeGraph = (nodes) => {
  const width = Math.round(Math.sqrt(nodes));
  const nodeCount = width * width;
  const moves = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [x, y])).concat([[2, 0]]);
  const senders = new Int32Array(nodeCount * degree);
  const receivers = new Int32Array(nodeCount * degree);
  for (let e = 0; e < senders.length; e++) {
    const node = Math.floor(e / degree);
    const [x, y] = moves[e % degree];
    const [column, row] = [(node % width) + x + width, Math.floor(node / width) + y + width];
    senders[e] = node;
    receivers[e] = (row % width) * width + (column % width);
  }
  return createGraph({ nodeCount, senders, receivers });
};

/** Each node leads to itself and to nine others, drawn anywhere. */
export const randomGraph: MakeGraph = (nodeCount) => createGraph(randomEdges(nodeCount));

/** A random graph in which node 0 also leads to a tenth of all nodes, and these lead back. */
export const hubGraph: MakeGraph = (nodeCount) => {
  const { senders, receivers } = randomEdges(nodeCount);
  const leads = (sender: number, receiver: number): boolean =>
    receivers.subarray(sender * degree, (sender + 1) * degree).includes(receiver);
  const count = Math.floor(nodeCount / degree);
  const spokes = Array.from({ length: count }, (_, i) => (i + 1) * degree - 1);
  const out = spokes.filter((node) => !leads(0, node));
  const back = spokes.filter((node) => !leads(node, 0));
  const joined = (...lists: readonly ArrayLike<number>[]): Int32Array => {
    const all = new Int32Array(lists.reduce((total, { length }) => total + length, 0));
    let start = 0;
    for (const list of lists) {
      all.set(list, start);
      start += list.length;
    }
    return all;
  };
  return createGraph({
    nodeCount,
    senders: joined(senders, new Int32Array(out.length), back),
    receivers: joined(receivers, out, new Int32Array(back.length)),
  });
};

function randomEdges(nodeCount: number): {
  readonly nodeCount: number;
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
} {
  const draw = createDraws(1);
  const senders = new Int32Array(nodeCount * degree);
  const receivers = new Int32Array(nodeCount * degree);
  for (let node = 0; node < nodeCount; node++) {
    const others = new Set([node]);
    while (others.size < degree) others.add(draw(nodeCount));
    let e = node * degree;
    for (const other of others) {
      senders[e] = node;
      receivers[e++] = other;
    }
  }
  return { nodeCount, senders, receivers };
}
