/**
 * The rows of the background: states that are the same for all examples of a batch. A row keeps its place as long as it is
 * there. Where no attention acts on the messages into a state, it needs nothing but its own past. So the background has at t
 * whoever is read at t or later, and places go by the time at which nodes are last read, latest first.
 */
import type { ExamplePart } from './example-part.ts';
import { IntRoom, sideBySide } from './int-room.ts';
import type { Numbering } from './numbering.ts';

export interface SharedRows {
  /** Place → node. Nodes that have rows of examples alone come last. Absent where place k is node k. */
  readonly nodes?: Int32Array;
  /** How many rows there are at t = 0 … T. */
  readonly counts: Int32Array;
  /** The places of the nodes of all parts, part after part; −1 for nodes that have none. In room that the next batch takes back. */
  readonly places: Int32Array;
}

/** All nodes, at all times. */
export function everyNode(parts: readonly ExamplePart[], nodeCount: number, steps: number): SharedRows {
  const places = Int32Array.from(parts.flatMap(({ nodes }) => [...nodes]));
  return { counts: new Int32Array(steps + 1).fill(nodeCount), places };
}

/** Finds the nodes whose background the parts of a batch read. */
export function readNodes(found: Numbering): (parts: readonly ExamplePart[], steps: number) => SharedRows {
  const room = new IntRoom();
  return (parts, steps) => {
    found.clear();
    let size = 0;
    for (const { nodes } of parts) size += nodes.length;
    // By number: one more than the time at which a node is last read, 0 for never.
    const [places, last] = sideBySide(size, 2, room);
    last.fill(0);
    let at = 0;
    for (const { nodes, reads } of parts) {
      found.fetch(nodes, 0, nodes.length);
      for (let k = 0; k < nodes.length; k++, at++) {
        const number = reads[k] < -1 ? -1 : found.of(nodes[k]);
        places[at] = number;
        if (reads[k] >= 0 && last[number] <= reads[k]) last[number] = reads[k] + 1;
      }
    }
    // How many are read at t or later: that many rows there are at t, and who is last read at t − 1 comes behind them.
    const later = new Int32Array(steps + 2);
    for (let k = 0; k < found.count; k++) later[last[k]] += 1;
    for (let t = steps; t >= 0; t--) later[t] += later[t + 1];
    const counts = later.slice(1);
    const next = counts.slice();
    const nodes = new Int32Array(found.count);
    for (let k = 0; k < nodes.length; k++) {
      last[k] = next[last[k]]++;
      nodes[last[k]] = found.ids[k];
    }
    for (let k = 0; k < size; k++) if (places[k] >= 0) places[k] = last[places[k]];
    return { nodes, counts, places };
  };
}
