/** Flags as values: what a flag is called, takes and means stands in one place. */
import { unknownName } from '@flowgrad/tensor';
import { UsageError } from '../usage-error.ts';

/** One flag: what it means, what it takes, and how its text becomes a value of type T. */
export interface Flag<T> {
  readonly about: string;
  /** What stands for its value in the help: `<n>`. Absent for a switch, which has none. */
  readonly value?: string;
  /** Without the flag. */
  readonly initial: T;
  /** The value of its text. Throws an Error that says what was expected. */
  parse(this: void, text: string): T;
}

/** The values of a record of flags, each by the name of its flag. */
export type FlagValues<F> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never };

interface Described {
  readonly about: string;
  readonly value?: string;
}

export const switchFlag = (about: string): Flag<boolean> => ({ about, initial: false, parse: () => true });

export function textFlag(described: Described): Flag<string | undefined>;
export function textFlag(described: Described & { readonly initial: string }): Flag<string>;
export function textFlag({
  initial,
  ...described
}: Described & { readonly initial?: string }): Flag<string | undefined> {
  return { value: '<text>', ...described, initial, parse: (text) => text };
}

/** Some other kind of value, which may be left out. */
export function valueFlag<T>(described: Described, parse: (text: string) => T): Flag<T | undefined> {
  return { value: '<text>', ...described, initial: undefined, parse };
}

/** One of a few words. */
export function choiceFlag<const Choice extends string>(
  choices: readonly Choice[],
  { about, initial }: { readonly about: string; readonly initial: Choice },
): Flag<Choice> {
  return {
    about,
    value: choices.join('|'),
    initial,
    parse: (text) => choice('a value', choices, text),
  };
}

/** `text` itself, if it is among the choices. */
export function choice<const Choice extends string>(
  what: string,
  choices: readonly Choice[],
  text: string,
): Choice {
  const found = choices.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(unknownName(what, text, choices));
}

interface IntegerBounds extends Described {
  readonly least: number;
  readonly most?: number;
}

export function integerFlag(bounds: IntegerBounds): Flag<number | undefined>;
export function integerFlag(bounds: IntegerBounds & { readonly initial: number }): Flag<number>;
export function integerFlag({
  least,
  most = Number.MAX_SAFE_INTEGER,
  initial,
  ...described
}: IntegerBounds & { readonly initial?: number }): Flag<number | undefined> {
  return {
    value: '<n>',
    ...described,
    initial,
    parse: (text) => {
      const number = Number(text);
      if (/^-?\d+$/.test(text) && number >= least && number <= most) return number;
      const bounds = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `in ${least}..${most}`;
      throw new UsageError(`expected a whole number ${bounds}, got '${text}'`);
    },
  };
}
