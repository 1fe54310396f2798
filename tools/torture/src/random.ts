/** Random numbers from a seed. Nothing here takes any others, so that every case can be repeated. */
export interface Random {
  /** In 0 … below 1. */
  next(): number;
  /** A whole number in 0 … below `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  /** `count` of the list in its order; all of it if there are fewer. */
  some<T>(list: readonly T[], count: number): T[];
}

/** mulberry32. The name keeps streams of one seed apart. */
export function randomFrom(seed: number, name = ''): Random {
  let state = seed | 0;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)],
    some: (list, count) => {
      const left = list.map((item, i) => ({ item, i, key: next() }));
      const chosen = left.sort((a, b) => a.key - b.key).slice(0, count);
      return chosen.sort((a, b) => a.i - b.i).map(({ item }) => item);
    },
  };
}
