import type { RowIndex, Tensor } from '@flowgrad/tensor';

/** Holds values beyond the scope they were made in, until it is disposed of. */
export interface SharedValues {
  share<T extends RowIndex | Tensor>(this: void, value: T): T;
  dispose(this: void): void;
}

export function createSharedValues(owner: string): SharedValues {
  const values: (RowIndex | Tensor)[] = [];
  return {
    share: (value) => {
      value.owner?.disown(value);
      values.push(value);
      return value;
    },
    dispose: () => {
      for (const value of values.splice(0)) value.dispose(owner);
    },
  };
}
