/**
 * Gives ids the numbers 0, 1, 2 … in the order in which they first come. Beginning anew erases nothing: numbers that were given
 * before are known by being too small.
 */
export class Numbering {
  /** Whose ids are numbered at present, where several objects share one numbering. */
  by: object | undefined;
  /** Number → id: the first `count` of these. */
  readonly ids: Int32Array;
  count = 0;
  /** Id → its number, raised by `#base`. Whatever is below that is of a time before. */
  readonly #raised: Int32Array;
  #base = 1;
  #fetched = 0;

  /** Of ids below `most`. */
  constructor(most: number) {
    this.ids = new Int32Array(most);
    this.#raised = new Int32Array(most);
  }

  /** Begins anew, with no id numbered. */
  clear(by?: object): void {
    this.by = by;
    this.#base += this.count;
    this.count = 0;
    if (this.#base < 2 ** 31 - this.ids.length) return;
    this.#raised.fill(0);
    this.#base = 1;
  }

  /** Reads what is known of some ids ahead of the loop that numbers them. They are all over memory, and here no read waits for another one. */
  fetch(ids: Int32Array, first: number, last: number): void {
    const raised = this.#raised;
    let seen = 0;
    for (let k = first; k < last; k++) seen |= raised[ids[k]];
    this.#fetched = seen;
  }

  /** The number of an id; −1 if it has none. */
  find(id: number): number {
    return Math.max(this.#raised[id] - this.#base, -1);
  }

  /** The number of an id; the next one if it has none yet. */
  of(id: number): number {
    const known = this.#raised[id] - this.#base;
    if (known >= 0) return known;
    this.ids[this.count] = id;
    this.#raised[id] = this.#base + this.count;
    return this.count++;
  }
}
