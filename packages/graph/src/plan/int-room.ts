/** Room for numbers that is lent again and again. It grows, and never shrinks. */
export class IntRoom {
  #values = new Int32Array(2 ** 14);

  /** Room for `length` numbers, with whatever was in it. The next call takes it back. */
  lend(length: number): Int32Array {
    if (length > this.#values.length) this.#values = new Int32Array(2 * length);
    return this.#values;
  }
}

/**
 * So many lists of `length` numbers in one array: an array of its own costs more than the few numbers that most lists have.
 * They are 0, or what was in `room` before, which then takes them back with the next call.
 */
export function sideBySide(length: number, count: number, room?: IntRoom): Int32Array[] {
  const { buffer } = room ? room.lend(count * length) : new Int32Array(count * length);
  const lists: Int32Array[] = [];
  for (let list = 0; list < count; list++) lists.push(new Int32Array(buffer, 4 * list * length, length));
  return lists;
}

/** Numbers in the order in which they come, in room that is kept from one use to the next. */
export class IntQueue {
  /** The first `count` of these. Another array once there is no room for more. */
  values = new Int32Array(2 ** 12);
  count = 0;

  push(value: number): void {
    if (this.count === this.values.length) this.values = grown(this.values, 2 * this.count);
    this.values[this.count++] = value;
  }
}

/** The same numbers, with room for more. */
export function grown(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(length);
  result.set(values);
  return result;
}
