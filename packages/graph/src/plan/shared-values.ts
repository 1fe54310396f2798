import { RowIndex } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

/** Holds values beyond the scope they were made in, until it is disposed of. */
export interface SharedValues {
  share<T extends RowIndex | Tensor>(this: void, value: T): T;
  /** Holds all indices of a record, as those of a fan. */
  shareAll<T extends object>(this: void, indices: T): T;
  dispose(this: void): void;
}

export function createSharedValues(owner: string): SharedValues {
  const values: (RowIndex | Tensor)[] = [];
  const share: SharedValues['share'] = (value) => {
    value.owner?.disown(value);
    values.push(value);
    return value;
  };
  return {
    share,
    shareAll: (indices) => {
      for (const value of Object.values(indices)) if (value instanceof RowIndex) share(value);
      return indices;
    },
    dispose: () => {
      for (const value of values.splice(0)) value.dispose(owner);
    },
  };
}
