/** Lists of int32 by name, filled side by side. Loops take the lists out first: a name looked up per value costs more. */
export type IntLists<Name extends string> = Readonly<Record<Name, Int32Array>>;

/** Lists of `length` values each, with whatever was there before; valid until the room is used again. */
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

/** Room that is filled and copied time after time. It only grows: to the longest there was. */
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
