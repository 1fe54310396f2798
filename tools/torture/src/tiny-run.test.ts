import { expect, it } from 'vitest';
import { demandOurWords, differences } from './tiny-run.ts';

const contents = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));

it('two runs differ in every byte and every name, but not in times', () => {
  const run = { 'run/metrics.jsonl': '{"loss":1,"seconds":2}\n', 'run/snapshots/a': 'x' };
  const later = { ...run, 'run/metrics.jsonl': '{"loss":1,"seconds":3.5}\n' };
  expect(differences(contents(later), contents(run))).toEqual([]);
  const other = { 'run/metrics.jsonl': '{"loss":2,"seconds":2}\n', 'run/snapshots/b': 'x' };
  expect(differences(contents(other), contents(run))).toEqual([
    'run/metrics.jsonl differs',
    'run/snapshots/a is missing',
    'run/snapshots/b is left over',
  ]);
});

it.for([
  ['flowgrad: known is not iterable\n(--verbose shows where it came from)\n', false],
  ["flowgrad: Cannot read properties of undefined (reading 'hits1')\n", false],
  ['flowgrad: Unexpected end of JSON input\n', false],
  ['', false],
  ['flowgrad: run/config.json: expected JSON, got something else (Unexpected end of JSON input)\n', true],
] as const)('%j in our words: %s', ([stderr, isOurs]) => {
  const said = () => demandOurWords({ code: 1, signal: null, stdout: '', stderr });
  if (isOurs) expect(said).not.toThrow();
  else expect(said).toThrow();
});
