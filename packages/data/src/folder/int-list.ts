/** Integers, one after the other, in as much room as they take. */
export class IntList {
  #values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  toArray(): Int32Array {
    return this.#values.slice(0, this.length);
  }
}
