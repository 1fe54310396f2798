import { expect, expectTypeOf, it } from 'vitest';
import * as v from 'valibot';
import {
  checked,
  fieldSchema,
  fieldTable,
  flagName,
  fromText,
  given,
  holds,
  labelOf,
  listOf,
  optional,
  record,
  required,
  shown,
  together,
  toText,
} from './index.ts';
import type { Field, Fields, ValueOf } from './index.ts';

const fields = {
  count: { kind: 'integer', least: 1, most: 9, default: 3, about: 'how many' },
  seed: { kind: 'seed', about: 'where random numbers begin' },
  rate: { kind: 'number', least: -1, about: 'how fast' },
  memory: { kind: 'bytes', about: 'how much' },
  mode: { kind: 'choice', choices: ['cone', 'dense', 'none'], default: 'cone', about: 'which way' },
  on: { kind: 'switch', default: false, about: 'whether' },
  rates: { kind: 'numbers', default: [1, 2], about: 'one after the other' },
} as const satisfies Fields;

const right: Record<keyof typeof fields, readonly unknown[]> = {
  count: [1, 9],
  seed: [0, 0xffffffff],
  rate: [-1, 0.5, 1e300],
  memory: [0, 2 ** 40],
  mode: ['cone', 'none'],
  on: [true, false],
  rates: [[0], [1e-3, 5]],
};
const odd = [
  null,
  undefined,
  '',
  '5',
  NaN,
  Infinity,
  -Infinity,
  [],
  {},
  [NaN],
  [-1],
  ['1'],
  1.5,
  -2,
  2 ** 53,
  true,
  () => 1,
];

it.for(Object.entries(fields))('%s takes its values, and they come back from text', ([name, field]) => {
  for (const value of right[name as keyof typeof fields]) {
    expect(holds(field, value)).toBe(true);
    expect(fromText(field, toText(value))).toEqual(value);
    expect(checked('it', fieldSchema(field as Field), value)).toEqual(value);
  }
});

it.for(Object.entries(fields))('%s refuses what is not of its kind, by name', ([name, field]) => {
  const schema = record({ [name]: fieldSchema(field as Field) });
  for (const value of odd) {
    if (holds(field, value)) continue;
    expect(() => checked('it', schema, { [name]: value })).toThrow(
      new RegExp(`^it: expected ${name} (to be|among) .*, got `),
    );
  }
  expect(odd.filter((value) => holds(field, value)).length).toBeLessThan(5);
});

it('types and defaults follow from the entries', () => {
  const schema = record(optional(fields));
  const made = checked('it', schema, { seed: 7 });
  expect(made).toEqual({ count: 3, seed: 7, mode: 'cone', on: false, rates: [1, 2] });
  expectTypeOf(made.mode).toEqualTypeOf<'cone' | 'dense' | 'none'>();
  expectTypeOf(made.seed).toEqualTypeOf<number | undefined>();
  expectTypeOf<ValueOf<(typeof fields)['rates']>>().toEqualTypeOf<readonly number[]>();
  expect(checked('it', record(given(fields)), {})).toEqual({});
  expect(() => checked('it', record(required(fields)), { seed: 7 })).toThrow(
    'it: expected count to be an integer in 1..9, got undefined',
  );
});

it('says where something is wrong', () => {
  const schema = record({
    inner: record(required({ count: fields.count })),
    list: listOf(fieldSchema(fields.on), 3),
  });
  const refuse = (value: unknown, message: string): void => {
    expect(() => checked('it', schema, value)).toThrow(message);
  };
  const [inner, list] = [{ count: 1 }, [true]];
  refuse({ inner: { count: 0 }, list }, 'it: expected inner.count to be an integer in 1..9, got 0');
  refuse(
    { inner: { cuont: 0 }, list },
    "it: inner: expected options among count, got 'cuont' (did you mean count?)",
  );
  refuse({ inner: [], list }, 'it: expected inner to be an object, got []');
  refuse({ inner, list: [true, 1] }, 'it: expected list.1 to be true or false, got 1');
  refuse({ inner, list: [] }, 'it: expected list to be a list of at least one, got []');
  refuse({ inner, list: [true, true, true, true] }, 'it: expected list to be a list of at least one');
  refuse({ inner, list, toString: 1 }, "it: expected options among inner, list, got 'toString'");
  refuse(JSON.parse('{"__proto__":1}'), "it: expected options among inner, list, got '__proto__'");
  refuse('x'.repeat(1e6), `it: expected an object, got '${'x'.repeat(60)}…'`);
  const sorted = v.pipe(
    record(required({ least: fields.rate, most: fields.rate })),
    together(({ least, most }) => (least <= most ? undefined : `expected least ≤ most, got ${least}`)),
  );
  expect(() => checked('it', sorted, { least: 2, most: 1 })).toThrow('it: expected least ≤ most, got 2');
});

it('text that stands for no value is left for the check', () => {
  for (const text of ['', ' ', '0x10', '1e', 'NaN', 'Infinity', '1,2', 'five']) {
    expect(fromText(fields.count, text)).toBe(text);
  }
  expect(fromText(fields.rates, '1, 2e-1')).toEqual([1, 0.2]);
  expect([fromText(fields.rates, '1,,2'), fromText(fields.on, 'yes')]).toEqual(['1,,2', 'yes']);
});

it('names become flags and labels', () => {
  expect(flagName('learningRates')).toBe('learning-rates');
  expect(labelOf('learningRates', fields.rates)).toBe('Learning rates');
  expect([labelOf('d', fields.count), labelOf('simd', { ...fields.count, label: 'SIMD' })]).toEqual([
    'd',
    'SIMD',
  ]);
  expect(fieldTable({ mode: fields.mode }).split('\n')[2]).toBe(
    '| `mode`  | cone, dense, none | cone    | which way |',
  );
});

it('whatever it is, it is shown in a few characters', () => {
  const speechless = { toString: 1, valueOf: 2 };
  const strange: readonly unknown[] = [
    ...[speechless, [speechless], [[[]]], Symbol('x')],
    Object.create(null),
    Object.assign([1], { constructor: 1 }),
  ];
  for (const value of [
    ...odd,
    ...strange,
    'x'.repeat(1e5),
    Array.from({ length: 1e5 }),
    Object.fromEntries(Array.from({ length: 1e3 }, (_, i) => [i, i])),
  ]) {
    expect(shown(value).length).toBeLessThan(100);
  }
});
