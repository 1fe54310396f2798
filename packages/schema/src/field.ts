/** A setting as plain data: one entry says its kind, its range and its meaning, and everything else follows. */
import { nearestName } from '@flowgrad/tensor';

interface Said {
  /** One line, for help, tables and tooltips. */
  readonly about: string;
  /** What a form calls it; its name in words unless given. */
  readonly label?: string;
}

/** Numbers: 'integer' whole ones, 'seed' those below 2³², 'number' finite ones, 'bytes' a size in memory. */
export interface NumberField extends Said {
  readonly kind: 'integer' | 'seed' | 'number' | 'bytes';
  /** 0 unless given. */
  readonly least?: number;
  readonly most?: number;
  readonly default?: number;
}

/** One of a few words. */
export interface ChoiceField extends Said {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  /** What a form calls each; the words themselves unless given. */
  readonly labels?: readonly string[];
  readonly default?: string;
}

/** True or false. */
export interface SwitchField extends Said {
  readonly kind: 'switch';
  readonly default?: boolean;
}

/** One or more numbers ≥ 0. */
export interface NumbersField extends Said {
  readonly kind: 'numbers';
  readonly default?: readonly number[];
}

/** A setting of any kind. */
export type Field = NumberField | ChoiceField | SwitchField | NumbersField;

/** Settings by name. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of a setting's values. */
export type ValueOf<F> = F extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { readonly kind: 'switch' }
    ? boolean
    : F extends { readonly kind: 'numbers' }
      ? readonly number[]
      : number;

const largestSeed = 0xffffffff;
const isRate = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

/** The range of a setting that is a number; `most` is infinite where nothing bounds it. */
export function rangeOf(field: Field): readonly [least: number, most: number] {
  if (field.kind === 'choice' || field.kind === 'switch' || field.kind === 'numbers') return [0, Infinity];
  return field.kind === 'seed' ? [0, largestSeed] : [field.least ?? 0, field.most ?? Infinity];
}

/** Whether a setting can have a value. */
export function holds(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'choice':
      return field.choices.includes(value as string);
    case 'switch':
      return typeof value === 'boolean';
    case 'numbers':
      // A hole in a list is no number either, which `every` alone would pass over.
      return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= 1000 &&
        Array.from<unknown>(value).every(isRate)
      );
  }
  const [least, most] = rangeOf(field);
  const isKind = field.kind === 'integer' || field.kind === 'seed' ? Number.isSafeInteger : Number.isFinite;
  return isKind(value) && (value as number) >= least && (value as number) <= most;
}

/** `to be an integer in 1..512`: what a value of the setting has to be. */
export function wanted(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return field.choices.length === 2
        ? `to be ${field.choices.join(' or ')}`
        : `among ${field.choices.join(', ')}`;
    case 'switch':
      return 'to be true or false';
    case 'numbers':
      return 'to be one or more numbers ≥ 0';
  }
  const [least, most] = rangeOf(field);
  const kind = { integer: 'an integer', seed: 'an integer', number: 'a number', bytes: 'a number of bytes' };
  return `to be ${kind[field.kind]} ${most === Infinity ? `≥ ${least}` : `in ${least}..${most}`}`;
}

/** What was got instead of a value, and which one was perhaps meant: `got 'cnoe' (did you mean cone?)`. */
export function gotInstead(value: unknown, field?: Field): string {
  const meant =
    field?.kind === 'choice' && typeof value === 'string' ? nearestName(value, field.choices) : undefined;
  return `got ${shown(value)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

const longest = 60;

/** A value as an error shows it: a few characters, whatever it is. */
export function shown(value: unknown): string {
  const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
  if (typeof value === 'string') return `'${JSON.stringify(cut(value)).slice(1, -1)}'`;
  // Of an object only its keys: what it says of itself may be anything.
  if (Array.isArray(value)) {
    const first = Array.from({ length: Math.min(value.length, longest) }, (_, i) => shownInList(value[i]));
    return cut(`[${first.join(', ')}]`);
  }
  if (typeof value === 'object' && value !== null)
    return `an object with ${cut(Object.keys(value).join(', ')) || 'nothing'}`;
  return typeof value === 'function' ? 'a function' : String(value);
}

const shownInList = (value: unknown): string => (Array.isArray(value) ? '[…]' : shown(value));
