import { DatasetFormatError } from '@flowgrad/data';
import type { GridMap } from '../world/grid-map.ts';
import { readNumber } from './text-lines.ts';

/** The paper's authors write a node as `x_y`. */
export function nodeName(map: GridMap, node: number): string {
  return `${map.x[node]}_${map.y[node]}`;
}

export function readCoordinates(where: string, name: string): { x: number; y: number } {
  const parts = name.split('_');
  if (parts.length !== 2) throw new DatasetFormatError(where, 'a node as x_y', `'${name}'`);
  return {
    x: readNumber(where, 'x of a node x_y', parts[0]),
    y: readNumber(where, 'y of a node x_y', parts[1]),
  };
}

/** The node of a map that a name stands for. */
export function readNode(where: string, map: GridMap, name: string): number {
  const { x, y } = readCoordinates(where, name);
  const node = x < map.size && y < map.size ? map.nodeOfCell[y * map.size + x] : -1;
  if (node < 0) throw new DatasetFormatError(where, 'a node of graph.txt', `'${name}'`);
  return node;
}
