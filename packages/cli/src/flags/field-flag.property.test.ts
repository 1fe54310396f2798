/** Whatever a run's settings are, flags say the same; whatever flags say, it is taken or refused in our words. */
import { flagOf, flatSettings, resolveRun, runFields } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { arbitraryRun, oddValues } from '@flowgrad/evaluation/testing';
import { toText } from '@flowgrad/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { train } from '../commands/train.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { UsageError } from '../usage-error.ts';
import { parseSettings } from './run-flags.ts';
import { settingsOf } from './field-flag.ts';

const seed = Number(process.env['FLOWGRAD_TEST_SEED'] ?? 20261117);
const parse = (words: string[]) => settingsOf(parseCommandLine(train, words).flags);

test('settings come back from flags, and from --settings, as what they were', () => {
  fc.assert(
    fc.property(arbitraryRun, (settings) => {
      const { group: _, model: __, ...run } = settings as RunSettings;
      const words = Object.entries(flatSettings(run)).map(
        ([name, value]) => `--${flagOf(name)}=${toText(value)}`,
      );
      expect(parse(words)).toEqual(run);
      try {
        const config = resolveRun(settings as RunSettings);
        expect(parseSettings(JSON.stringify(settings))).toEqual(config);
      } catch (error) {
        expect((error as Error).message).toMatch(/^run: .*expected/);
      }
    }),
    { seed, numRuns: 1000 },
  );
});

test('any word behind any flag is taken or refused in our words', () => {
  const name = fc.constantFrom(...Object.keys(runFields));
  const text = fc.oneof(
    // As a person would write it: some of them cannot become text by themselves.
    fc.constantFrom(
      ...oddValues.map((value) => (typeof value === 'object' ? JSON.stringify(value) : `${value as number}`)),
    ),
    fc.string(),
    fc.double().map(String),
    fc.nat(20).map(String),
  );
  const verdicts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 3 }), (given) => {
      try {
        const run = parse(given.map(([of, value]) => `--${flagOf(of)}=${value}`));
        verdicts.taken += 1;
        resolveRun({ group: 'SINE-SZ8-STP4-NDRP-STD0.2', model: 'GAT', ...run });
      } catch (error) {
        verdicts.refused += 1;
        const isOurs = error instanceof UsageError || error instanceof RangeError;
        expect(isOurs && /expected .*, got/s.test(error.message), String(error)).toBe(true);
      }
    }),
    { seed, numRuns: 2000 },
  );
  expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(100);
});
