import { RandomStream } from '@flowgrad/data';
import { createGraph } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { STREAMS } from '../random/streams.ts';
import { DIRECTION_COUNT, DIRECTION_X, DIRECTION_Y, oppositeDirection } from './directions.ts';
import { checkMapParameters } from './parameters.ts';
import type { MapParameters } from './parameters.ts';

/** A corrupted grid: what is left of N × N cells and the edges between neighbours. */
export interface GridMap {
  /** N */
  readonly size: number;
  /** Edge types 0 … 7 are the directions E, NE, N, NW, W, SW, S, SE. Without self-loops. */
  readonly graph: Graph;
  /** [nodes] in 0 … N−1, growing to the east. Nodes are numbered by y, then by x. */
  readonly x: Int32Array;
  /** [nodes] in 0 … N−1, growing to the north. */
  readonly y: Int32Array;
  /** [nodes, 8] the node that each direction leads to, −1 where there is no edge. */
  readonly neighbors: Int32Array;
  /** [N·N] the node of cell y·N + x, −1 where there is none. */
  readonly nodeOfCell: Int32Array;
}

/** The map of a seed. It depends on (N, drops, seed) alone: all dynamics and all σ of one seed share it. */
export function createGridMap({ seed, ...parameters }: MapParameters & { readonly seed: number }): GridMap {
  checkMapParameters('createGridMap', parameters);
  const { size, nodeDrop, edgeDrop } = parameters;
  const cells = size * size;
  const kept = new Uint8Array(cells);
  const cellOrder = new RandomStream(seed, STREAMS.mapNodes).permutation(cells);
  for (const cell of cellOrder.subarray(0, keptCount(cells, nodeDrop))) kept[cell] = 1;

  // Each undirected edge once, as its half that leads E, NE, N or NW.
  const undirected: CellEdge[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (let direction = 0; direction < DIRECTION_COUNT / 2; direction++) {
      const end = neighborCell(size, cell, direction);
      if (kept[cell] && end >= 0 && kept[end]) undirected.push({ cell, direction });
    }
  }
  const edgeOrder = new RandomStream(seed, STREAMS.mapEdges).permutation(undirected.length);
  const edges: CellEdge[] = [];
  for (const index of edgeOrder.subarray(0, keptCount(undirected.length, edgeDrop))) {
    const { cell, direction } = undirected[index];
    edges.push({ cell, direction });
    edges.push({ cell: neighborCell(size, cell, direction), direction: oppositeDirection(direction) });
  }
  return gridMapFromEdges(size, edges);
}

/** A directed edge by the cell y·N + x where it begins. */
export interface CellEdge {
  readonly cell: number;
  readonly direction: number;
}

/** The map with these edges and no others. A cell without an edge has no node: isolated nodes are removed. */
export function gridMapFromEdges(size: number, edges: readonly CellEdge[]): GridMap {
  const nodeOfCell = new Int32Array(size * size).fill(-1);
  for (const { cell, direction } of edges) {
    nodeOfCell[cell] = 0;
    nodeOfCell[neighborCell(size, cell, direction)] = 0;
  }
  let nodeCount = 0;
  nodeOfCell.forEach((mark, cell) => {
    if (mark === 0) nodeOfCell[cell] = nodeCount++;
  });
  const x = new Int32Array(nodeCount);
  const y = new Int32Array(nodeCount);
  nodeOfCell.forEach((node, cell) => {
    if (node < 0) return;
    x[node] = cell % size;
    y[node] = Math.floor(cell / size);
  });

  const neighbors = new Int32Array(nodeCount * DIRECTION_COUNT).fill(-1);
  for (const { cell, direction } of edges) {
    neighbors[nodeOfCell[cell] * DIRECTION_COUNT + direction] =
      nodeOfCell[neighborCell(size, cell, direction)];
  }
  return { size, graph: graphOfNeighbors(nodeCount, neighbors), x, y, neighbors, nodeOfCell };
}

/** Edges in the order of (sender, direction). */
function graphOfNeighbors(nodeCount: number, neighbors: Int32Array): Graph {
  const senders: number[] = [];
  const receivers: number[] = [];
  const edgeTypes: number[] = [];
  neighbors.forEach((receiver, index) => {
    if (receiver < 0) return;
    senders.push(Math.floor(index / DIRECTION_COUNT));
    receivers.push(receiver);
    edgeTypes.push(index % DIRECTION_COUNT);
  });
  return createGraph({ nodeCount, senders, receivers, edgeTypes, edgeTypeCount: DIRECTION_COUNT });
}

/** The cell that lies in a direction, −1 beyond the border. */
export function neighborCell(size: number, cell: number, direction: number): number {
  const x = (cell % size) + DIRECTION_X[direction];
  const y = Math.floor(cell / size) + DIRECTION_Y[direction];
  return x >= 0 && x < size && y >= 0 && y < size ? y * size + x : -1;
}

/** ⌊count · (1 − fraction)⌋, where 10 · (1 − 0.9) is 1 and not 0.999…. */
function keptCount(count: number, fraction: number): number {
  return Math.floor(count * (1 - fraction) + 1e-9);
}
