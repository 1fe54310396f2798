/**
 * The parts of a batch side by side, going through time. The rows of a time are those of the background, and behind them those
 * of one example after another. From t to t + 1 a row carries on the state that its node had: the example's own, or else the
 * background's.
 */
import type { ExamplePart, Spans } from './example-part.ts';
import { sideBySide } from './int-room.ts';
import type { IntRoom } from './int-room.ts';
import type { SharedRows } from './shared-rows.ts';

/** What examples have of their own, by time: t = 0 … T. */
interface Timeline {
  readonly rows: Int32Array;
  readonly entries: Int32Array;
  /** Edges of fans. */
  readonly leaving: Int32Array;
  /** Edges that arrive at rows, where every message into them is an example's own. */
  readonly arriving: Int32Array;
  /** How many rows, entries, and fans begin at t or ended at t − 1. */
  readonly changes: { readonly rows: Int32Array; readonly entries: Int32Array; readonly fans: Int32Array };
}

export class UnrolledBatch {
  readonly steps: number;
  readonly parts: readonly ExamplePart[];
  readonly shared: SharedRows;
  readonly times: Timeline;
  /** Where the nodes of each part begin among those of all parts. */
  readonly first: Int32Array;
  /** The step at hand goes from t to t + 1; −1 before the first. */
  t = -2;
  /** The row at t of each node of each part: the example's own, or else the background's. */
  readonly now: Int32Array;
  /** The row, and the entry, at t + 1 that an example has of each of its nodes; −1 for none. */
  readonly after: Int32Array;
  readonly entryAfter: Int32Array;
  /** Row of t + 1 → its row at t, and the place of its node. */
  carry: Int32Array = new Int32Array(0);
  placesAfter: Int32Array = new Int32Array(0);
  /** By place: how many messages its node receives. Whoever asks first counts them. */
  received: Float32Array | undefined;
  /** Room for these two at any time. */
  readonly #room: readonly Int32Array[];

  /** Where there are rooms, the lists by node and by row are lent of them, until another batch has them. */
  constructor(
    parts: readonly ExamplePart[],
    shared: SharedRows,
    steps: number,
    rooms?: { readonly nodes: IntRoom; readonly rows: IntRoom },
  ) {
    this.steps = steps;
    this.parts = parts;
    this.shared = shared;
    this.times = timelineOf(parts, steps);
    this.first = new Int32Array(parts.length + 1);
    parts.forEach(({ nodes }, p) => (this.first[p + 1] = this.first[p] + nodes.length));
    [this.now, this.after, this.entryAfter] = sideBySide(shared.places.length, 3, rooms?.nodes);
    this.now.set(shared.places);
    this.after.fill(-1);
    this.entryAfter.fill(-1);
    let most = 0;
    for (let t = 0; t <= steps; t++) most = Math.max(most, this.rowsAt(t));
    this.#room = sideBySide(most, 2, rooms?.rows);
    // The background's rows come first, stay where they are, and become fewer.
    for (const list of this.#room) for (let place = 0; place < shared.counts[0]; place++) list[place] = place;
    this.goOn();
  }

  rowsAt(t: number): number {
    return this.shared.counts[t] + this.times.rows[t];
  }

  /** Whether the rows of t are those of t − 1. */
  rowsStay(t: number): boolean {
    const { changes } = this.times;
    return t > 0 && changes.rows[t] === 0 && this.shared.counts[t] === this.shared.counts[t - 1];
  }

  /** Whether the entries of t are those of t − 1. */
  entriesStay(t: number): boolean {
    return t > 0 && this.times.changes.entries[t] === 0;
  }

  /** Whether rows and entries of t are those of t − 1. */
  #numbersStay(t: number): boolean {
    return this.rowsStay(t) && this.entriesStay(t);
  }

  /** Whether the step from t has just what the one before it has. */
  stepStays(t: number): boolean {
    if (t === 0 || this.times.changes.fans[t] > 0 || this.parts.some(({ kept }) => kept)) return false;
    return this.#numbersStay(t) && this.#numbersStay(t + 1);
  }

  /** Goes on to the next step: what was t + 1 becomes t. */
  goOn(): void {
    const { parts, first, now, after, entryAfter } = this;
    const [carry, placesAfter] = this.#room;
    const { places, counts } = this.shared;
    const next = ++this.t + 1;
    // Where numbers were the same at the time before, and are at the next, none changes.
    if (this.#numbersStay(next - 1) && this.#numbersStay(next)) return;
    let row = counts[next];
    let entry = 0;
    for (let p = 0; p < parts.length; p++) {
      const { own, rows, entries } = parts[p];
      const { from, until } = rows;
      const { from: entryFrom, until: entryUntil } = entries;
      for (let k = 0, at = first[p]; k < own; k++, at++) {
        now[at] = after[at] < 0 ? places[at] : after[at];
        entryAfter[at] = next >= entryFrom[k] && next <= entryUntil[k] ? entry++ : -1;
        if (next >= from[k] && next <= until[k]) {
          carry[row] = now[at];
          placesAfter[row] = places[at];
          after[at] = row++;
        } else {
          after[at] = -1;
        }
      }
    }
    this.carry = carry.subarray(0, row);
    this.placesAfter = placesAfter.subarray(0, row);
  }
}

/** How much the parts of a batch have at each time. */
function timelineOf(parts: readonly ExamplePart[], steps: number): Timeline {
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
