/** Indices that follow from others, made only if somebody asks for them: each model needs few of all that plans have. */
import { deferredIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { pick, typedIds } from './typed-ids.ts';

/** of[picks[k]] */
export function through(of: RowIndex, picks: RowIndex): RowIndex {
  return deferredIndex(() => pick(of.toArray(), picks.toArray()), of.rows);
}

/** ids[k] · typeCount + types[k] */
export function typedIndex(ids: RowIndex, types: RowIndex): RowIndex {
  const typeCount = types.rows;
  return deferredIndex(() => typedIds(ids.toArray(), types.toArray(), typeCount), ids.rows * typeCount);
}

/** The ids and the types of an index whose entries are id · typeCount + type. */
export function untyped(
  typed: RowIndex,
  typeCount: number,
): { readonly ids: RowIndex; readonly types: RowIndex } {
  const ids = (): Int32Array => typed.toArray().map((slice) => Math.floor(slice / typeCount));
  return {
    ids: deferredIndex(ids, typed.rows / typeCount),
    types: deferredIndex(() => typed.toArray().map((slice) => slice % typeCount), typeCount),
  };
}
