import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

const example = (code: string) => ({ code, expected: '', line: 3 });

test('an example may await at its top level, and its output is returned as printed', async () => {
  expect(await runExample(example(`console.log(await Promise.resolve('a'));\nconsole.log(2);`))).toBe(
    'a\n2\n',
  );
});

test('an example that throws fails with its line and what it said', async () => {
  await expect(runExample(example(`throw new Error('broken');`))).rejects.toThrow(
    /the example on line 3 ended with status 1[^]*broken/,
  );
});

test('an example that only complains fails too', async () => {
  await expect(runExample(example(`console.warn('careful');`))).rejects.toThrow(/status 0[^]*careful/);
});
