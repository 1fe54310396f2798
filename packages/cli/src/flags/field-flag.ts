/** Flags of the settings of a run: each follows from the one entry that says what the setting is. */
import { flagOf, largeWorlds, nestedSettings, runFields } from '@flowgrad/evaluation';
import type { SettingName } from '@flowgrad/evaluation';
import { toText } from '@flowgrad/schema';
import type { Field, ValueOf } from '@flowgrad/schema';
import { fieldFlag } from './flag.ts';
import type { Flag } from './flag.ts';

type FlagName<Name> = Name extends 'frequencies' ? 'features' : Kebab<Name>;
type Kebab<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : '';

/** A flag for each setting, by its name on the command line. */
export type SettingFlags = {
  readonly [Name in SettingName as FlagName<Name>]: Flag<ValueOf<(typeof runFields)[Name]> | undefined>;
};

const names = Object.keys(runFields) as SettingName[];

/** What is left out is undefined: defaults are the library's. */
export const settingFlags = Object.fromEntries(
  names.map((name) => [flagOf(name), settingFlag(name, runFields[name])]),
) as unknown as SettingFlags;

/** Only what was given, as `RunSettings` has it. */
export function settingsOf(flags: Readonly<Record<string, unknown>>): object {
  const given = names.filter((name) => flags[flagOf(name)] !== undefined);
  return nestedSettings(Object.fromEntries(given.map((name) => [name, flags[flagOf(name)]])));
}

function settingFlag(name: string, field: Field): Flag<unknown> {
  const large = (largeWorlds as Readonly<Record<string, number>>)[name];
  const paper = large === undefined ? '' : `, ${large} from ${largeWorlds.size} × ${largeWorlds.size} on`;
  const byDefault = field.default === undefined ? '' : ` (default ${toText(field.default)}${paper})`;
  return { ...fieldFlag(field), about: `${field.about}${byDefault}` };
}
