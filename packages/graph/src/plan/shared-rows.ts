/**
 * The rows of the background: states that are the same for all examples of a batch. A row keeps its place as long as it is
 * there. Where no attention acts on the messages into a state, it needs nothing but its own past. So the background has at t
 * whoever is read at t or later, and places go by the time at which nodes are last read, latest first.
 */
import type { ExamplePart } from './example-part.ts';

export interface SharedRows {
  /** Place → node. Nodes that have rows of examples alone come last. Absent where place k is node k. */
  readonly nodes?: Int32Array;
  /** How many rows there are at t = 0 … T. */
  readonly counts: Int32Array;
  /** For each part the places of its nodes; −1 for nodes that have none. */
  readonly places: readonly Int32Array[];
}

/** All nodes, at all times. */
export function everyNode(parts: readonly ExamplePart[], nodeCount: number, steps: number): SharedRows {
  return { counts: new Int32Array(steps + 1).fill(nodeCount), places: parts.map(({ nodes }) => nodes) };
}

/** Finds the nodes whose background the parts of a batch read. */
export function readNodes(nodeCount: number): (parts: readonly ExamplePart[], steps: number) => SharedRows {
  /** Node → place, −1 for none; while nodes are found, in the order in which they are. */
  const placeOf = new Int32Array(nodeCount).fill(-1);
  return (parts, steps) => {
    const found: number[] = [];
    /** One more than the time at which each is last read, 0 for never. */
    const last: number[] = [];
    for (const { nodes, own, rows, reads } of parts) {
      for (let k = 0; k < nodes.length; k++) {
        const hasRow = k < own && rows.from[k] <= rows.until[k];
        if (reads[k] < 0 && !hasRow) continue;
        const place = placeOf[nodes[k]];
        if (place < 0) {
          placeOf[nodes[k]] = found.push(nodes[k]) - 1;
          last.push(reads[k] + 1);
        } else if (last[place] <= reads[k]) {
          last[place] = reads[k] + 1;
        }
      }
    }
    // How many are read at t or later: that many rows there are at t, and who is last read at t − 1 comes behind them.
    const later = new Int32Array(steps + 2);
    for (let k = 0; k < last.length; k++) later[last[k]] += 1;
    for (let t = steps; t >= 0; t--) later[t] += later[t + 1];
    const counts = later.slice(1);
    const next = counts.slice();
    const nodes = new Int32Array(found.length);
    for (let k = 0; k < found.length; k++) {
      const place = next[last[k]]++;
      nodes[place] = found[k];
      placeOf[found[k]] = place;
    }
    const places = parts.map((part) => {
      const of = new Int32Array(part.nodes.length);
      for (let k = 0; k < of.length; k++) of[k] = placeOf[part.nodes[k]];
      return of;
    });
    for (let k = 0; k < found.length; k++) placeOf[found[k]] = -1;
    return { nodes, counts, places };
  };
}
