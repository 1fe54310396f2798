import type { RowIndex } from './row-index.ts';
import type { Tensor } from './tensor.ts';

/**
 * Rows of a table that are not read out of it yet: row i is `table[rows[i]]`, or `table[i]` without rows. A layer can multiply
 * the table, which has fewer rows, in place of what is read of it.
 */
export interface TableRows {
  readonly table: Tensor;
  readonly rows?: RowIndex | undefined;
  /** The rows, read out of the table, or out of another that was made of it. */
  read(this: void, made?: Tensor): Tensor;
  /** What `owner` makes of the table; made once for all who read rows of it. */
  once<T extends MadeOfTable>(this: void, owner: object, make: (table: Tensor) => T): T;
  /** Whether `owner` has made it already. */
  isMade(this: void, owner: object): boolean;
}

type MadeOfTable = readonly Tensor[] | Readonly<Record<string, Tensor>>;
