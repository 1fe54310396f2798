/**
 * Numbers ids in the order in which they come. To begin anew, the count is set to 0: what an id had before counts only if it
 * is among those that came since, so that nothing has to be taken back.
 */
export class Numbering {
  /** Number → id: the first `count` of these. */
  readonly ids: Int32Array;
  count = 0;
  /** Id → its number, if it has one. */
  readonly #numbers: Int32Array;

  /** Of ids below `most`. */
  constructor(most: number) {
    this.ids = new Int32Array(most);
    this.#numbers = new Int32Array(most);
  }

  /** The number of an id; the next one if it has none yet. */
  of(id: number): number {
    const known = this.#numbers[id];
    if (known < this.count && this.ids[known] === id) return known;
    this.ids[this.count] = id;
    this.#numbers[id] = this.count;
    return this.count++;
  }
}
