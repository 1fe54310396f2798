/** Everything public is explained, and the examples of tensor's functions type-check, run and give what they say. */
import * as tensorPackage from '@flowgrad/tensor';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkedCode, checkTypes, examplesOf } from './examples.ts';
import { publicSymbols } from './public-symbols.ts';

const symbols = publicSymbols();
const ofTensor = symbols.filter(({ entry }) => /^@flowgrad\/tensor(\/|$)/.test(entry));
const examples = examplesOf(symbols);

test('every public symbol of every package has a comment', () => {
  const bare = symbols.filter(({ comment }) => comment === '');
  expect(bare.map(({ at, name }) => `${at} ${name}`)).toEqual([]);
});

test('every function of tensor has an example', () => {
  const without = ofTensor.filter(({ isFunction, examples: own }) => isFunction && own.length === 0);
  expect(without.map(({ at, name }) => `${at} ${name}`)).toEqual([]);
});

test('examples type-check', () => {
  expect(checkTypes(examples, symbols)).toEqual([]);
});

describe('on the reference backend', () => {
  beforeEach(() => {
    tensorPackage.setBackend(tensorPackage.referenceBackend());
  });
  afterEach(() => {
    tensorPackage.setBackend(undefined);
  });

  const check = async (value: unknown, expected: unknown): Promise<void> => {
    const actual = value instanceof tensorPackage.Tensor ? await value.toArray() : value;
    expect(rounded(actual)).toEqual(rounded(expected));
  };
  // Those of the entry points for Node and browsers open devices, which other tests do.
  const running = examples.filter(
    ({ entry, code }) => entry === '@flowgrad/tensor' && !/^import /m.test(code),
  );

  test.for(running)('the example of $name runs and gives what it says', async ({ code }) => {
    const names = Object.keys(tensorPackage);
    const run = new AsyncFunction(...names, 'check', checkedCode(code));
    await run(...Object.values(tensorPackage), check);
  });
});

type AsyncFunction = (...args: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => AsyncFunction;

/** Four decimals, as examples have them. */
function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  // 0 rather than −0, which JSON does not have.
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 + 0 : value;
}
