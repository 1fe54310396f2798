import { IntQueue } from './int-queue.ts';
import { NodeTable } from './node-table.ts';

/** Numbers nodes in the order in which they come. */
export class Numbering {
  /** Number → node. */
  readonly nodes = new IntQueue();
  /** One more than the number. */
  readonly #numbers: NodeTable;

  constructor(nodeCount: number) {
    this.#numbers = new NodeTable(nodeCount);
  }

  get count(): number {
    return this.nodes.count;
  }

  /** Begins anew. */
  clear(): void {
    this.nodes.count = 0;
    this.#numbers.clear();
  }

  /** The number of a node; the next one if it has none yet. */
  of(node: number): number {
    const at = this.#numbers.add(node);
    const { values } = this.#numbers;
    if (values[at] > 0) return values[at] - 1;
    this.nodes.push(node);
    values[at] = this.nodes.count;
    return this.nodes.count - 1;
  }
}
