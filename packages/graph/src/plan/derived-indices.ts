/** Indices that follow from others. Each is made only when a model asks for it, as a model needs few of all that a plan has. */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { PlanFan } from './plan.ts';
import { pick, typedIds } from './typed-ids.ts';

/** values[picks[k]] */
export function pickedIndex(values: RowIndex, picks: RowIndex): RowIndex {
  return deferredIndex(() => pick(values.toArray(), picks.toArray()), values.rows);
}

/** ids[k] · typeCount + types[k] */
export function typedIndex(ids: RowIndex, types: RowIndex): RowIndex {
  const typeCount = types.rows;
  return deferredIndex(() => typedIds(ids.toArray(), types.toArray(), typeCount), ids.rows * typeCount);
}

/** The reverse of `typedIndex`: the ids and the types of an index whose entries are id · typeCount + type. */
export function splitTypedIndex(
  typed: RowIndex,
  typeCount: number,
): { readonly ids: RowIndex; readonly types: RowIndex } {
  const ids = (): Int32Array => typed.toArray().map((slice) => Math.floor(slice / typeCount));
  return {
    ids: deferredIndex(ids, typed.rows / typeCount),
    types: deferredIndex(() => typed.toArray().map((slice) => slice % typeCount), typeCount),
  };
}

/** Makes a fan of lists, which are copied: edge → sender (sorted), row of the receiver, and type. */
export function planFan(
  lists: { readonly [List in 'senders' | 'receivers' | 'types']: ArrayLike<number> },
  counts: { readonly [Count in 'senders' | 'rows' | 'types']: number },
): PlanFan {
  const senders = segments(lists.senders, counts.senders);
  const receivers = rowIndex(lists.receivers, counts.rows);
  const types = rowIndex(lists.types, counts.types);
  return {
    count: lists.senders.length,
    senders,
    receivers,
    types,
    typedSenders: typedIndex(senders, types),
    typedReceivers: typedIndex(receivers, types),
  };
}
