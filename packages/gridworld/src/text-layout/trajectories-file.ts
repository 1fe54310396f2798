import { DatasetFormatError } from '@flowgrad/data';
import { trajectoriesFrom, trajectoryNodes } from '../dataset/trajectories.ts';
import type { Trajectories } from '../dataset/trajectories.ts';
import { DIRECTION_COUNT } from '../world/directions.ts';
import type { GridMap } from '../world/grid-map.ts';
import { nodeName, readNode } from './node-names.ts';
import { quoteFields, readNumber, textLines } from './text-lines.ts';
import type { TextLine } from './text-lines.ts';

const FILE = 'trajectories.txt';

/** One trajectory a line: its id, then its nodes. */
export function encodeTrajectories(map: GridMap, trajectories: Trajectories): string {
  let text = '';
  for (let id = 0; id < trajectories.count; id++) {
    const nodes = Array.from(trajectoryNodes(trajectories, id), (node) => nodeName(map, node));
    text += `${id}\t${nodes.join('\t')}\n`;
  }
  return text;
}

export interface DecodedTrajectories {
  readonly trajectories: Trajectories;
  /** The id in the file → the index of the trajectory, which is the order of the file. */
  readonly indexOfId: ReadonlyMap<number, number>;
}

export function decodeTrajectories(text: string, map: GridMap): DecodedTrajectories {
  const offsets = [0];
  const nodes: number[] = [];
  const indexOfId = new Map<number, number>();
  for (const line of textLines(FILE, text)) {
    if (line.fields.length < 2) {
      throw new DatasetFormatError(line.where, 'an id and at least one node', quoteFields(line.fields));
    }
    const id = readNumber(line.where, 'a trajectory id', line.fields[0]);
    if (indexOfId.has(id)) {
      throw new DatasetFormatError(
        line.where,
        'each id once',
        `${id}, also at ${FILE}:${indexOfId.get(id)! + 1}`,
      );
    }
    indexOfId.set(id, indexOfId.size);
    readPath(line, map, nodes);
    offsets.push(nodes.length);
  }
  return { trajectories: trajectoriesFrom(offsets, nodes), indexOfId };
}

/** Appends the nodes of a line; each must have an edge to the next. */
function readPath({ fields, where }: TextLine, map: GridMap, nodes: number[]): void {
  let previous = -1;
  fields.slice(1).forEach((name, i) => {
    const node = readNode(where, map, name);
    const outgoing = map.neighbors.subarray(previous * DIRECTION_COUNT, (previous + 1) * DIRECTION_COUNT);
    if (i > 0 && !outgoing.includes(node)) {
      throw new DatasetFormatError(where, 'an edge of graph.txt at each step', `${fields[i]} → ${name}`);
    }
    nodes.push(node);
    previous = node;
  });
}
