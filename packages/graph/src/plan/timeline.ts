/** How much the parts of a batch have at each time. */
import type { ExamplePart, Spans } from './example-part.ts';
import { sideBySide } from './int-room.ts';

/** What examples have of their own, by time: t = 0 … T. */
export interface Timeline {
  readonly rows: Int32Array;
  readonly entries: Int32Array;
  /** Edges of fans. */
  readonly leaving: Int32Array;
  /** Edges that arrive at rows, where every message into them is an example's own. */
  readonly arriving: Int32Array;
  /** How many rows, entries, and fans begin at t or ended at t − 1. */
  readonly changes: { readonly rows: Int32Array; readonly entries: Int32Array; readonly fans: Int32Array };
}

export function timelineOf(parts: readonly ExamplePart[], steps: number): Timeline {
  const [rows, entries, leaving, arriving, ...changed] = sideBySide(steps + 2, 7);
  const changes = { rows: changed[0], entries: changed[1], fans: changed[2] };
  /** Counts nodes, or the edges that `offsets` has of each, at the times of their spans. */
  const count = (to: Int32Array, { from, until }: Spans, changed: Int32Array, offsets?: Int32Array): void => {
    for (let k = 0; k < from.length; k++) {
      if (from[k] > until[k]) continue;
      const weight = offsets ? offsets[k + 1] - offsets[k] : 1;
      to[from[k]] += weight;
      to[until[k] + 1] -= weight;
      changed[from[k]] += 1;
      changed[until[k] + 1] += 1;
    }
  };
  for (const part of parts) {
    count(rows, part.rows, changes.rows);
    count(entries, part.entries, changes.entries);
    count(leaving, part.fans, changes.fans, part.leaving.offsets);
    if (part.arriving) count(arriving, part.rows, changes.rows, part.arriving.offsets);
  }
  for (const each of [rows, entries, leaving, arriving]) {
    for (let t = 1; t <= steps; t++) each[t] += each[t - 1];
  }
  return { rows, entries, leaving, arriving, changes };
}
