/** Numbers in the order in which they come, in room that is kept from one use to the next. */
export class IntQueue {
  /** The first `count` of these. Another array once there is no room for more. */
  values = new Int32Array(2 ** 12);
  count = 0;

  push(value: number): void {
    if (this.count === this.values.length) {
      const { values } = this;
      this.values = new Int32Array(2 * values.length);
      this.values.set(values);
    }
    this.values[this.count++] = value;
  }
}
