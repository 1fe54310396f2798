/** What the files call nodes, edge types and queries: names, or numbers below a count that the manifest has. */
import { DatasetFormatError, quoted } from './format-error.ts';

/** Reads names of one kind. */
export interface Naming {
  /** The number of a name; `where` is said of one that is not known. */
  read(this: void, text: string, where: () => string): number;
  readonly count: number;
  /** By number; absent where the files have numbers. */
  readonly names?: readonly string[];
}

/** Numbers 0 … count − 1. */
export function numbers(what: string, count: number, hint: string): Naming {
  return {
    count,
    read: (text, where) => {
      const value = Number(text);
      if (value < count && isNumeral(text)) return value;
      throw new DatasetFormatError(
        where(),
        `${what} as a number in 0..${count - 1}`,
        `${quoted(text)} (${hint})`,
      );
    },
  };
}

/** Names, numbered in the order in which they come; once closed, another one is an error. */
export function names(what: string): Naming & { close(this: void, list: string): void } {
  const idOf = new Map<string, number>();
  const found: string[] = [];
  let closedBy: string | undefined;
  return {
    names: found,
    get count() {
      return found.length;
    },
    read: (text, where) => {
      const known = idOf.get(text);
      if (known !== undefined) return known;
      if (closedBy !== undefined)
        throw new DatasetFormatError(where(), `${what} of ${closedBy}`, quoted(text));
      if (text === '') throw new DatasetFormatError(where(), what, 'nothing');
      // A slice would keep the whole chunk it was cut from.
      const kept = Array.from(text).join('');
      idOf.set(kept, found.length);
      return found.push(kept) - 1;
    },
    close: (list) => void (closedBy = list),
  };
}

/** Digits alone, without a leading zero: so a number has one spelling. */
export const isNumeral = (text: string): boolean => /^(0|[1-9]\d{0,9})$/.test(text);
