/** Lists of int32 by name, filled side by side. Loops take the lists out first: a name looked up per value costs more. */
export type IntLists<Name extends string> = Readonly<Record<Name, Int32Array>>;

/** Room for lists that are filled and copied time after time. It only grows: to the longest there were. */
export interface IntScratch<Name extends string> {
  /** Room for at least `length` values each, with whatever was there before. */
  room(this: void, length: number): IntLists<Name>;
}

export function createScratch<Name extends string>(...names: readonly Name[]): IntScratch<Name> {
  const listsOf = (length: number): IntLists<Name> =>
    Object.fromEntries(names.map((name) => [name, new Int32Array(length)])) as IntLists<Name>;
  let capacity = 1024;
  let lists = listsOf(capacity);
  return {
    room: (length) => {
      if (length > capacity) {
        capacity = Math.max(length, 2 * capacity);
        lists = listsOf(capacity);
      }
      return lists;
    },
  };
}

/** The first `count` values of each list, valid until the room is used again. */
export function filled<Name extends string>(lists: IntLists<Name>, count: number): IntLists<Name> {
  return Object.fromEntries(
    Object.entries<Int32Array>(lists).map(([name, list]) => [name, list.subarray(0, count)]),
  ) as IntLists<Name>;
}

/**
 * Lists by name, side by side in one array: list `name` begins at start[name]. A loop that fills many lists is faster with
 * one array at hand than with many.
 */
export interface IntSlab<Name extends string> {
  readonly values: Int32Array;
  readonly start: Readonly<Record<Name, number>>;
}

/** Room for lists side by side, with whatever was there before. */
export function createSlab<Name extends string>(
  ...names: readonly Name[]
): (length: number) => IntSlab<Name> {
  let values = new Int32Array(1024);
  return (length) => {
    if (names.length * length > values.length) values = new Int32Array(2 * names.length * length);
    const start = Object.fromEntries(names.map((name, i) => [name, i * length])) as Record<Name, number>;
    return { values, start };
  };
}

/** Copies `lists` to the beginnings of those of the same names. */
export function place<Name extends string>({ values, start }: IntSlab<Name>, lists: IntLists<Name>): void {
  for (const name of Object.keys(lists) as Name[]) values.set(lists[name], start[name]);
}

/** The first `count` values of some of the lists, valid until the room is used again. */
export function cut<Name extends string, Chosen extends Name>(
  { values, start }: IntSlab<Name>,
  names: readonly Chosen[],
  count: number,
): IntLists<Chosen> {
  const list = (name: Chosen): Int32Array => values.subarray(start[name], start[name] + count);
  return Object.fromEntries(names.map((name) => [name, list(name)])) as IntLists<Chosen>;
}
