import { IntQueue } from './int-room.ts';

/**
 * Up to three numbers for each of some nodes. Room and time follow the nodes that have some, not the graph: what is read lies
 * close together in memory, wherever in a large graph the nodes are. Once a quarter of all nodes would fit, there is a record for each
 * node, and none has to be looked for.
 */
export class NodeTable {
  /** Records of four, side by side: a node + 1, and behind it its numbers. Where none is, all is 0. */
  values = new Int32Array(0);
  readonly #nodeCount: number;
  /** Where there are records. */
  readonly #places = new IntQueue();
  /** The room for records: a power of two, or as many as there are nodes. */
  #capacity = 0;
  // A node's record is at node · factor ≫ shift, or behind it at the next place that was free.
  #factor = 1;
  #shift = 0;
  #mask = 0;

  /** With room for `smallest` nodes, a power of two, to begin with. */
  constructor(nodeCount: number, smallest = 2 ** 10) {
    this.#nodeCount = nodeCount;
    this.#open(smallest);
  }

  /** Forgets all. */
  clear(): void {
    const { values, count } = this.#places;
    for (let k = 0; k < count; k++) {
      for (let at = values[k]; at < values[k] + 4; at++) this.values[at] = 0;
    }
    this.#places.count = 0;
  }

  /** Where the numbers of a node are in `values`; 0 if it has none. */
  find(node: number): number {
    const values = this.values;
    const mask = this.#mask;
    const key = node + 1;
    let at = (Math.imul(node, this.#factor) >>> this.#shift) << 2;
    while (values[at] !== key) {
      if (values[at] === 0) return 0;
      at = (at + 4) & mask;
    }
    return at + 1;
  }

  /** Where the numbers of a node are in `values` until the next is added: zeros, if it had none. */
  add(node: number): number {
    if (2 * this.#places.count >= this.#capacity && this.#shift > 0) this.#grow();
    const values = this.values;
    const mask = this.#mask;
    const key = node + 1;
    let at = (Math.imul(node, this.#factor) >>> this.#shift) << 2;
    while (values[at] !== key) {
      if (values[at] === 0) {
        values[at] = key;
        this.#places.push(at);
        break;
      }
      at = (at + 4) & mask;
    }
    return at + 1;
  }

  /** Makes room, which is clear. */
  #open(capacity: number): void {
    // A table of four times the room is not much larger, and nothing has to be looked for in it.
    const hasAll = 4 * capacity >= this.#nodeCount;
    this.#capacity = hasAll ? this.#nodeCount : capacity;
    // 2³² by the golden ratio scatters neighbours.
    this.#factor = hasAll ? 1 : 0x9e3779b1 | 0;
    this.#shift = hasAll ? 0 : 32 - Math.log2(capacity);
    this.#mask = 4 * capacity - 1;
    if (this.values.length < 4 * this.#capacity) this.values = new Int32Array(4 * this.#capacity);
  }

  #grow(): void {
    const before = this.values.slice(0, 4 * this.#capacity);
    this.values.fill(0);
    this.#places.count = 0;
    this.#open(4 * this.#capacity);
    for (let from = 0; from < before.length; from += 4) {
      if (before[from] > 0) this.values.set(before.subarray(from + 1, from + 4), this.add(before[from] - 1));
    }
  }
}
