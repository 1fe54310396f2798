/** Flags as values: what a flag is called, takes and means stands in one place. */
import { fromText, holds, rangeOf } from '@flowgrad/schema';
import type { Field, ValueOf } from '@flowgrad/schema';
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

const valueTexts = {
  integer: '<n>',
  seed: '<n>',
  number: '<x>',
  bytes: '<bytes>',
  numbers: '<a,b,…>',
  switch: 'true|false',
};

/** The flag of a setting: what it takes follows from the one entry that says what the setting is. */
export function fieldFlag<const F extends Field>(field: F): Flag<ValueOf<F> | undefined> {
  return {
    about: field.about,
    value: field.kind === 'choice' ? field.choices.join('|') : valueTexts[field.kind],
    initial: undefined,
    parse: (text) => {
      const value = fromText(field, text);
      if (holds(field, value)) return value as ValueOf<F>;
      throw new UsageError(expectation(field, value, text));
    },
  };
}

/** One of a few words. */
export function choiceFlag<const Choice extends string>(
  choices: readonly Choice[],
  { about, initial }: { readonly about: string; readonly initial: Choice },
): Flag<Choice> {
  return { ...(fieldFlag({ kind: 'choice', choices, about }) as Flag<Choice>), initial };
}

interface IntegerBounds extends Described {
  readonly least: number;
  readonly most?: number;
}

export function integerFlag(bounds: IntegerBounds): Flag<number | undefined>;
export function integerFlag(bounds: IntegerBounds & { readonly initial: number }): Flag<number>;
export function integerFlag({
  value = valueTexts.integer,
  initial,
  ...bounds
}: IntegerBounds & { readonly initial?: number }): Flag<number | undefined> {
  return { ...fieldFlag({ kind: 'integer', ...bounds }), value, initial };
}

function expectation(field: Field, value: unknown, text: string): string {
  switch (field.kind) {
    case 'choice':
      return unknownName('a value', text, field.choices);
    case 'switch':
      return `expected true or false, got '${text}'`;
    case 'numbers':
      return `expected numbers ≥ 0 separated by commas, such as 5e-4,1e-4, got '${text}'`;
  }
  const [least, most] = rangeOf(field);
  const isBounded = field.kind === 'seed' || (typeof value === 'number' && value > most);
  const kind = {
    integer: 'a whole number',
    seed: 'a whole number',
    number: 'a number',
    bytes: 'a number of bytes',
  };
  return `expected ${kind[field.kind]} ${isBounded ? `in ${least}..${most}` : `≥ ${least}`}, got '${text}'`;
}
