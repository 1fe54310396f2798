/**
 * The parts of a batch side by side, going through time. The rows of a time are those of the background, and behind them those
 * of one example after another. From t to t + 1 a row carries on the state that its node had: the example's own, or else the
 * background's.
 */
import type { ExamplePart } from './example-part.ts';
import type { SharedRows } from './shared-rows.ts';
import { timelineOf } from './timeline.ts';
import type { Timeline } from './timeline.ts';

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
  carry = new Int32Array(0);
  placesAfter = new Int32Array(0);

  constructor(parts: readonly ExamplePart[], shared: SharedRows, steps: number) {
    this.steps = steps;
    this.parts = parts;
    this.shared = shared;
    this.times = timelineOf(parts, steps);
    this.first = new Int32Array(parts.length + 1);
    parts.forEach(({ nodes }, p) => (this.first[p + 1] = this.first[p] + nodes.length));
    const size = this.first[parts.length];
    this.now = new Int32Array(size);
    shared.places.forEach((places, p) => {
      this.now.set(places, this.first[p]);
    });
    this.after = new Int32Array(size).fill(-1);
    this.entryAfter = new Int32Array(size).fill(-1);
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

  /** Whether the step from t has just what the one before it has. */
  stepStays(t: number): boolean {
    if (t === 0 || this.times.changes.fans[t] > 0 || this.parts.some(({ cone }) => cone.kept)) return false;
    return [t, t + 1].every((at) => this.rowsStay(at) && this.entriesStay(at));
  }

  /** Goes on to the next step: what was t + 1 becomes t. */
  goOn(): void {
    const { parts, first, shared, now, after, entryAfter } = this;
    const next = ++this.t + 1;
    // Where numbers were the same at the time before, and are at the next, none changes.
    if ([next - 1, next].every((t) => this.rowsStay(t) && this.entriesStay(t))) return;
    const count = this.rowsAt(next);
    const carry = new Int32Array(count);
    const placesAfter = new Int32Array(count);
    let row = shared.counts[next];
    for (let place = 0; place < row; place++) carry[place] = placesAfter[place] = place;
    let entry = 0;
    for (let p = 0; p < parts.length; p++) {
      const { own, rows, entries } = parts[p];
      const places = shared.places[p];
      for (let k = 0; k < own; k++) {
        const at = first[p] + k;
        now[at] = after[at] < 0 ? places[k] : after[at];
        entryAfter[at] = next >= entries.from[k] && next <= entries.until[k] ? entry++ : -1;
        if (next >= rows.from[k] && next <= rows.until[k]) {
          carry[row] = now[at];
          placesAfter[row] = places[k];
          after[at] = row++;
        } else {
          after[at] = -1;
        }
      }
    }
    this.carry = carry;
    this.placesAfter = placesAfter;
  }
}
