/** The names of an op: what it takes and what it gives, as its definition says and as each of its functions sees them. */

/**
 * A tensor, or an index into rows. With `?` it may be left out, with `[]` it is a list of any length. An index is given
 * once and brings kernels its ids, offsets and order.
 */
export type OperandKind = 'tensor' | 'tensor?' | 'tensor[]' | 'rows' | 'rows?' | 'rows[]';
/** A tensor, or a list of them. */
export type OutputKind = 'tensor' | 'tensor[]';

/** What an op takes, by name. */
export type OperandKinds = Readonly<Record<string, OperandKind>>;
/** What an op gives, by name. */
export type OutputKinds = Readonly<Record<string, OutputKind>>;

/** An index into rows as kernels see it, with lists of the kernel's own kind; see `RowIndex`. */
export interface Rows<List> {
  readonly rows: number;
  readonly length: number;
  readonly longest: number;
  readonly sorted: boolean;
  readonly ids: List;
  readonly offsets: List;
  readonly order: List;
  readonly counts: List;
}

/** What stands for an operand where a tensor is a `T` and an index an `R`. */
export type ValueOf<Kind extends OperandKind, T, R> = Kind extends 'tensor' | 'tensor?'
  ? T
  : Kind extends 'tensor[]'
    ? readonly T[]
    : Kind extends 'rows' | 'rows?'
      ? R
      : readonly R[];

type NamesOf<Kinds, Kind> = { [Name in keyof Kinds]: Kinds[Name] extends Kind ? Name : never }[keyof Kinds];
export type OptionalNames<Kinds> = NamesOf<Kinds, `${string}?`>;
export type TensorNames<Kinds> = NamesOf<Kinds, `tensor${string}`>;

/** A value for every name. */
export type Values<Kinds extends OperandKinds, T, R = never> = {
  readonly [Name in Exclude<keyof Kinds, OptionalNames<Kinds>>]: ValueOf<Kinds[Name], T, R>;
} & { readonly [Name in OptionalNames<Kinds>]?: ValueOf<Kinds[Name], T, R> | undefined };

/** Values of names that are not known when this is compiled. */
export interface AnyValues<T, R> {
  readonly [name: string]: T | R | readonly T[] | readonly R[] | undefined;
}

/** An operand or output, taken apart when the op is defined, so that calls need not. */
export interface Named {
  readonly name: string;
  readonly isRows: boolean;
  readonly isList: boolean;
  readonly isOptional: boolean;
}

export function namesOf(kinds: OperandKinds): readonly Named[] {
  return Object.entries(kinds).map(([name, kind]) => ({
    name,
    isRows: kind.startsWith('rows'),
    isList: kind.endsWith('[]'),
    isOptional: kind.endsWith('?'),
  }));
}

/** The tensors among the values of an op, in the order of their names. */
export function tensorsOf<T, R>(names: readonly Named[], values: AnyValues<T, R>): T[] {
  return listOf(names, values, false) as T[];
}

/** The indices among them. */
export function rowsOf<T, R>(names: readonly Named[], values: AnyValues<T, R>): R[] {
  return listOf(names, values, true) as R[];
}

// Plain loops here and below: every call that a tape records goes through them several times.
function listOf(names: readonly Named[], values: AnyValues<unknown, unknown>, areRows: boolean): unknown[] {
  const list: unknown[] = [];
  for (const { name, isRows, isList } of names) {
    if (isRows !== areRows) continue;
    const value = values[name];
    if (isList) for (const item of value as readonly unknown[]) list.push(item);
    else if (value !== undefined) list.push(value);
  }
  return list;
}

/** The same names with other values. */
export function mapValues<T, R, T2, R2>(
  names: readonly Named[],
  values: AnyValues<T, R>,
  ofTensor: (tensor: T, name: string) => T2,
  ofRows: (rows: R, name: string) => R2,
): AnyValues<T2, R2> {
  const result: Record<string, T2 | R2 | readonly T2[] | readonly R2[] | undefined> = {};
  for (const { name, isRows, isList } of names) {
    const value = values[name];
    const map = (isRows ? ofRows : ofTensor) as (value: unknown, name: string) => T2;
    if (value === undefined) result[name] = undefined;
    else result[name] = isList ? (value as readonly T[]).map((item) => map(item, name)) : map(value, name);
  }
  return result;
}
