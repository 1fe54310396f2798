/** A list of int32 that grows, and is emptied and filled again without allocating. */
export class IntList {
  length = 0;
  #values = new Int32Array(1024);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  clear(): void {
    this.length = 0;
  }

  /** The values so far, valid until the list changes. */
  get view(): Int32Array {
    return this.#values.subarray(0, this.length);
  }
}
