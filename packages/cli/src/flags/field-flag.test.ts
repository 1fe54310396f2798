import { flagOf, resolveRun, runFields } from '@flowgrad/evaluation';
import { modelNames } from '@flowgrad/models';
import { expect, test } from 'vitest';
import { train } from '../commands/train.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { settingsOf } from './field-flag.ts';

const settingsFrom = (...words: string[]) => settingsOf(parseCommandLine(train, words).flags);

test('every setting of a run has a flag', () => {
  expect(Object.keys(train.flags)).toEqual(expect.arrayContaining(Object.keys(runFields).map(flagOf)));
});

test('what flags say is what RunSettings say', () => {
  expect(
    settingsFrom('--features', '8', '--embeddings', 'false', '--message-memory', '0', '--d', '8'),
  ).toEqual({
    options: { d: 8, messageMemory: 0 },
    features: { frequencies: 8, embeddings: false },
  });
  expect(settingsFrom('--seed', '0', '--learning-rates', '1e-3, 0', '--plan', 'dense')).toEqual({
    seed: 0,
    learningRates: [1e-3, 0],
    plan: 'dense',
  });
  expect(settingsFrom()).toEqual({});
});

test.for<[string[], string]>([
  [['--heads', '-1'], "--heads: expected a whole number ≥ 1, got '-1'"],
  [['--d', 'banana'], "--d: expected a whole number ≥ 1, got 'banana'"],
  [['--weight-decay', '1e999'], "--weight-decay: expected a number ≥ 0, got '1e999'"],
  [['--global-reduction', 'men'], "expected a value among sum, mean, got 'men' (did you mean mean?)"],
  [['--embeddings', 'no'], "--embeddings: expected true or false, got 'no'"],
  [['--message-memory', '-1'], "--message-memory: expected a number of bytes ≥ 0, got '-1'"],
  [['--features', '513'], "--features: expected a whole number in 1..512, got '513'"],
  [['--learning-rates', ''], "expected numbers ≥ 0 separated by commas, such as 5e-4,1e-4, got ''"],
])('%s is refused', ([words, message]) => {
  expect(() => settingsFrom(...words)).toThrow(message);
});

test.for<[string[], string]>([
  [
    ['--settings', '{"model":"GGNN-MulMlp"}'],
    'run: expected group to be a name or the parameters of a world',
  ],
  [['--settings', 'null'], 'run: expected an object, got null'],
  [
    ['--group', tinyWorld, '--model', 'GGNN', '--d', '1000000'],
    'expected parameters that take at most 2 GiB',
  ],
])('train %s ends before anything is made', async ([words, message]) => {
  const { code, stderr } = await runCaptured(['train', ...words]);
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  expect(code).not.toBe(0);
});

test('the defaults in the help are those of a run', () => {
  const { learningRates, ...config } = resolveRun({ group: tinyWorld, model: modelNames[0] });
  const { about } = train.flags['learning-rates'];
  expect(about).toContain(`(default ${learningRates.join(',')})`);
  for (const name of ['epochs', 'batch', 'seed', 'shuffling', 'plan'] as const) {
    expect(train.flags[name].about).toContain(`(default ${config[name]}`);
  }
  expect(train.flags.d.about).toContain(`(default ${config.options.d}, 30 from 64 × 64 on)`);
});
