import { DatasetFormatError } from '@flowgrad/data';
import { DIRECTION_NAMES, DIRECTION_X, DIRECTION_Y } from '../world/directions.ts';
import { gridMapFromEdges } from '../world/grid-map.ts';
import type { CellEdge, GridMap } from '../world/grid-map.ts';
import { nodeName, readCoordinates } from './node-names.ts';
import { expectFields, textLines } from './text-lines.ts';
import type { TextLine } from './text-lines.ts';

const FILE = 'graph.txt';

/** One edge a line: sender, direction name, receiver. */
export function encodeGraph(map: GridMap): string {
  const { senders, receivers, edgeTypes, edgeCount } = map.graph;
  let text = '';
  for (let edge = 0; edge < edgeCount; edge++) {
    const direction = DIRECTION_NAMES[edgeTypes[edge]];
    text += `${nodeName(map, senders[edge])}\t${direction}\t${nodeName(map, receivers[edge])}\n`;
  }
  return text;
}

/** `size` is the largest coordinate + 1 when it is not given. */
export function decodeGraph(text: string, size?: number): GridMap {
  const edges = textLines(FILE, text).map(readEdge);
  let largest = -1;
  for (const { x, y, toX, toY } of edges) largest = Math.max(largest, x, y, toX, toY);
  const mapSize = size ?? Math.max(1, largest + 1);
  const outside = edges.find(({ x, y, toX, toY }) => Math.max(x, y, toX, toY) >= mapSize);
  if (outside) {
    throw new DatasetFormatError(
      outside.where,
      `coordinates in 0..${mapSize - 1} (size ${mapSize})`,
      outside.text,
    );
  }
  const seen = new Map<string, string>();
  for (const { where, text: edge } of edges) {
    const earlier = seen.get(edge);
    if (earlier !== undefined)
      throw new DatasetFormatError(where, 'each edge once', `${edge}, also at ${earlier}`);
    seen.set(edge, where);
  }
  return gridMapFromEdges(
    mapSize,
    edges.map(({ x, y, direction }): CellEdge => ({ cell: y * mapSize + x, direction })),
  );
}

function readEdge(line: TextLine) {
  expectFields(line, 'sender, direction, receiver', 3);
  const { fields, where } = line;
  const [sender, directionName, receiver] = fields;
  const direction = DIRECTION_NAMES.findIndex((name) => name === directionName);
  if (direction < 0) {
    throw new DatasetFormatError(
      where,
      `a direction among ${DIRECTION_NAMES.join(', ')}`,
      `'${directionName}'`,
    );
  }
  const { x, y } = readCoordinates(where, sender);
  const { x: toX, y: toY } = readCoordinates(where, receiver);
  const text = `'${fields.join('\t')}'`;
  if (toX !== x + DIRECTION_X[direction] || toY !== y + DIRECTION_Y[direction]) {
    const leads = `${x + DIRECTION_X[direction]}_${y + DIRECTION_Y[direction]}`;
    throw new DatasetFormatError(
      where,
      `${directionName} of ${sender} to lead to ${leads} (y grows to the north)`,
      text,
    );
  }
  return { x, y, toX, toY, direction, where, text };
}
