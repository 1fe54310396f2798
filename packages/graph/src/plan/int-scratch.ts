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
