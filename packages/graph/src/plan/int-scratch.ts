/** Lists of int32 by name, filled side by side. A loop takes the lists out first, as looking a name up for every value is slow. */
export type IntLists<Name extends string> = Readonly<Record<Name, Int32Array>>;

/** Lends lists of `length` values each, with whatever was in them. They belong to the scratch, and are taken back by the next call. */
export function createScratch<Name extends string>(
  ...names: readonly Name[]
): (length: number) => IntLists<Name> {
  const roomFor = createSlab(...names);
  return (length) => cut(roomFor(length), names, length);
}

/**
 * Lists by name, side by side in one array: list `name` begins at start[name]. A loop that fills many lists is faster with
 * one array at hand than with many.
 */
export interface IntSlab<Name extends string> {
  readonly values: Int32Array;
  readonly start: Readonly<Record<Name, number>>;
}

/** Makes a slab that each call lends anew. Its array grows to the longest that was asked for, and never shrinks. */
export function createSlab<Name extends string>(
  ...names: readonly Name[]
): (length: number) => IntSlab<Name> {
  let values = new Int32Array(1024);
  const start = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  return (length) => {
    if (names.length * length > values.length) values = new Int32Array(2 * names.length * length);
    for (let i = 0; i < names.length; i++) start[names[i]] = i * length;
    return { values, start };
  };
}

/** Copies each of `lists` to the beginning of the slab's list of the same name. */
export function writeLists<Name extends string>(
  { values, start }: IntSlab<Name>,
  lists: IntLists<Name>,
): void {
  for (const name of Object.keys(lists) as Name[]) values.set(lists[name], start[name]);
}

/** The first `count` values of the lists that `names` chooses. They belong to the slab. */
export function cut<Name extends string, Chosen extends Name>(
  { values, start }: IntSlab<Name>,
  names: readonly Chosen[],
  count: number,
): IntLists<Chosen> {
  const lists = {} as Record<Chosen, Int32Array>;
  for (const name of names) lists[name] = values.subarray(start[name], start[name] + count);
  return lists;
}
