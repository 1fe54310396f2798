/**
 * The rows of the background: states that are the same for all examples of a batch. A row keeps its place as long as it is
 * there. Where no attention acts on the messages into a state, it needs nothing but its own past. So the background has at t
 * whoever is read at t or later, and places go by the time at which nodes are last read, latest first.
 */
import type { ExamplePart } from './example-part.ts';
import { sideBySide } from './int-room.ts';
import { createPlacing } from './placing.ts';

export interface SharedRows {
  /** Place → node. Nodes that have rows of examples alone come last. Absent where place k is node k. */
  readonly nodes?: Int32Array;
  /** How many rows there are at t = 0 … T. */
  readonly counts: Int32Array;
  /** The places of the nodes of all parts, part after part; −1 for nodes that have none. */
  readonly places: Int32Array;
}

/** The nodes of all parts, part after part; those that are not `wanted` as −1. */
function nodesOf(
  parts: readonly ExamplePart[],
  isWanted: (part: ExamplePart, k: number) => boolean,
): Int32Array {
  const result = new Int32Array(parts.reduce((total, { nodes }) => total + nodes.length, 0));
  let at = 0;
  for (const part of parts) {
    for (let k = 0; k < part.nodes.length; k++) result[at++] = isWanted(part, k) ? part.nodes[k] : -1;
  }
  return result;
}

/** All nodes, at all times. */
export function everyNode(parts: readonly ExamplePart[], nodeCount: number, steps: number): SharedRows {
  return { counts: new Int32Array(steps + 1).fill(nodeCount), places: nodesOf(parts, () => true) };
}

/** A node has a place if its background is read, or if an example has a row of it, which begins as the background's. */
const isRead = ({ own, rows, reads }: ExamplePart, k: number): boolean =>
  reads[k] >= 0 || (k < own && rows.from[k] <= rows.until[k]);

/** Finds the nodes whose background the parts of a batch read. */
export function readNodes(nodeCount: number): (parts: readonly ExamplePart[], steps: number) => SharedRows {
  const placed = createPlacing();
  return (parts, steps) => {
    const places = nodesOf(parts, isRead);
    const found = placed(places, nodeCount);
    /** One more than the time at which each is last read, 0 for never. */
    const [nodes, last] = sideBySide(found.length, 2);
    let at = 0;
    for (const { reads } of parts) {
      for (let k = 0; k < reads.length; k++, at++) {
        if (reads[k] >= 0 && last[places[at]] <= reads[k]) last[places[at]] = reads[k] + 1;
      }
    }
    // How many are read at t or later: that many rows there are at t, and who is last read at t − 1 comes behind them.
    const later = new Int32Array(steps + 2);
    for (let k = 0; k < last.length; k++) later[last[k]] += 1;
    for (let t = steps; t >= 0; t--) later[t] += later[t + 1];
    const counts = later.slice(1);
    const next = counts.slice();
    for (let k = 0; k < found.length; k++) {
      last[k] = next[last[k]]++;
      nodes[last[k]] = found[k];
    }
    for (let k = 0; k < places.length; k++) if (places[k] >= 0) places[k] = last[places[k]];
    return { nodes, counts, places };
  };
}
