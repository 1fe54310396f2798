/** Values from outside against a schema: what comes out has its type and its defaults, or an error says what is wrong. */
import { unknownName } from '@flowgrad/tensor';
import * as v from 'valibot';
import { gotInstead, holds, wanted } from './field.ts';
import type { Field, Fields, ValueOf } from './field.ts';

/** Stands in a message for the path to what is wrong, which only the whole value knows. */
const here = '\u0000';

type Entry<F> = v.GenericSchema<ValueOf<F>>;
type OptionalEntry<F> = F extends { readonly default: unknown }
  ? v.OptionalSchema<Entry<F>, ValueOf<F>>
  : v.OptionalSchema<Entry<F>, undefined>;

/** A value that `test` accepts; `words` say what it has to be: `to be a name`. */
export function valueOf<T>(
  words: string,
  test: (value: unknown) => boolean,
  field?: Field,
): v.GenericSchema<T> {
  return v.custom<T>(test, ({ input }) => `expected ${here} ${words}, ${gotInstead(input, field)}`);
}

/** The schema of a setting. */
export function fieldSchema<const F extends Field>(field: F): Entry<F> {
  return valueOf(wanted(field), (value) => holds(field, value), field);
}

/** Entries of an object for settings that all have to be given. */
export function required<const F extends Fields>(fields: F): { readonly [Name in keyof F]: Entry<F[Name]> } {
  return mapped(fields, fieldSchema) as { readonly [Name in keyof F]: Entry<F[Name]> };
}

/** Entries of an object for settings that may be left out; those that have a default are then that. */
export function optional<const F extends Fields>(
  fields: F,
): { readonly [Name in keyof F]: OptionalEntry<F[Name]> } {
  const entry = (field: Field): unknown => v.optional(fieldSchema(field), field.default as never);
  return mapped(fields, entry) as { readonly [Name in keyof F]: OptionalEntry<F[Name]> };
}

/** Entries of an object for settings that may be left out, and then are. */
export function given<const F extends Fields>(
  fields: F,
): { readonly [Name in keyof F]: v.ExactOptionalSchema<Entry<F[Name]>, undefined> } {
  return mapped(fields, (field) => v.exactOptional(fieldSchema(field))) as ReturnType<typeof given<F>>;
}

const mapped = (fields: Fields, of: (field: Field) => unknown): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)]));

/** An object with these entries and no others. */
export function record<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<
  v.InferInput<v.StrictObjectSchema<Entries, undefined>>,
  Readonly<v.InferOutput<v.StrictObjectSchema<Entries, undefined>>>
> {
  const schema: unknown = v.pipe(
    valueOf<object>(
      'to be an object',
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
    v.strictObject(entries, ({ expected, input, path }) => {
      if (expected === 'never') return `${here}: ${unknownName('options', input, Object.keys(entries))}`;
      // What is missing is said as what is wrong would be.
      const missing = v.safeParse(entries[String(path?.[0].key)], undefined);
      return missing.issues?.[0].message ?? `expected ${here}`;
    }),
  );
  return schema as ReturnType<typeof record<Entries>>;
}

/** One or more unless `least` is 0, each looked at by itself: one that is wrong is named by its place. */
export function listOf<const Item extends v.GenericSchema>(
  item: Item,
  most = Infinity,
  least = 1,
): v.GenericSchema<readonly v.InferInput<Item>[], readonly v.InferOutput<Item>[]> {
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.length >= least && list.length <= most;
  return v.pipe(
    valueOf<v.InferInput<Item>[]>(`to be a list${least > 0 ? ' of at least one' : ''}`, isList),
    v.array(item),
  );
}

/** Values that are right, each of a kind, but not together; `problem` says why. */
export const together = <T>(problem: (value: T) => string | undefined): v.GenericPipeAction<T, T> =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    const message = dataset.typed ? problem(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  });

/** What a setting is called where it was said: of `options.d`, that itself in JSON, `--d` on a command line. */
export type Naming = (path: string) => string;

/** The value as the schema makes it. What is wrong is a RangeError: `where: expected …, got …`. */
export function checked<const Schema extends v.GenericSchema>(
  where: string,
  schema: Schema,
  value: unknown,
  nameOf: Naming = (path) => path,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  // A name that is not known explains most of what is missing.
  const issue = issues.find(({ expected }) => expected === 'never') ?? issues[0];
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const path = (issue.expected === 'never' ? keys.slice(0, -1) : keys).join('.');
  const message =
    path === ''
      ? issue.message.replace(`${here}: `, '').replace(`${here} to be `, '')
      : issue.message.replace(here, nameOf(path));
  throw new RangeError(`${where}: ${message}`);
}
