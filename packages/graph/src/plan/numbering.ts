/** Numbers ids in the order in which they come, again and again, without taking back what was numbered before. */
export class Numbering {
  /** Number → id: the first `count` of these. */
  readonly ids: Int32Array;
  count = 0;
  /** Id → its number, raised by `#base`. Whatever is below that is of a time before. */
  readonly #raised: Int32Array;
  #base = 1;

  /** Of ids below `most`. */
  constructor(most: number) {
    this.ids = new Int32Array(most);
    this.#raised = new Int32Array(most);
  }

  /** Begins anew, with no id numbered. */
  clear(): void {
    this.#base += this.count;
    this.count = 0;
    if (this.#base < 2 ** 31 - this.ids.length) return;
    this.#raised.fill(0);
    this.#base = 1;
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
