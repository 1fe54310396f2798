/** Flags of the settings of a run: each follows from the one entry that says what the setting is. */
import { flagOf, largeWorlds, nestedSettings, runFields } from '@flowgrad/evaluation';
import type { SettingName } from '@flowgrad/evaluation';
import { fromText, holds, rangeOf, toText } from '@flowgrad/schema';
import type { Field, ValueOf } from '@flowgrad/schema';
import { unknownName } from '@flowgrad/tensor';
import { UsageError } from '../usage-error.ts';
import type { Flag } from './flag.ts';

type FlagName<Name> = Name extends 'frequencies' ? 'features' : Kebab<Name>;
type Kebab<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : '';

/** A flag for each setting, by its name on the command line. */
export type SettingFlags = {
  readonly [Name in SettingName as FlagName<Name>]: Flag<ValueOf<(typeof runFields)[Name]> | undefined>;
};

const valueTexts = { integer: '<n>', seed: '<n>', number: '<x>', bytes: '<bytes>', numbers: '<a,b,…>' };
const names = Object.keys(runFields) as SettingName[];

/** What is left out is undefined: defaults are the library's. */
export const settingFlags = Object.fromEntries(
  names.map((name) => [flagOf(name), fieldFlag(name, runFields[name])]),
) as unknown as SettingFlags;

/** Only what was given, as `RunSettings` has it. */
export function settingsOf(flags: Readonly<Record<string, unknown>>): object {
  const given = names.filter((name) => flags[flagOf(name)] !== undefined);
  return nestedSettings(Object.fromEntries(given.map((name) => [name, flags[flagOf(name)]])));
}

function fieldFlag(name: string, field: Field): Flag<unknown> {
  const large = (largeWorlds as Readonly<Record<string, number>>)[name];
  const paper = large === undefined ? '' : `, ${large} from ${largeWorlds.size} × ${largeWorlds.size} on`;
  const byDefault = field.default === undefined ? '' : ` (default ${toText(field.default)}${paper})`;
  return {
    about: `${field.about}${byDefault}`,
    value:
      field.kind === 'choice'
        ? field.choices.join('|')
        : field.kind === 'switch'
          ? 'true|false'
          : valueTexts[field.kind],
    initial: undefined,
    parse: (text) => {
      const value = fromText(field, text);
      if (holds(field, value)) return value;
      throw new UsageError(expectation(field, value, text));
    },
  };
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
