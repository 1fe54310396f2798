/** Adding an option to a model is one entry: with a model that has one more, everything above knows it. */
import { fieldTable } from '@flowgrad/schema';
import { expect, expectTypeOf, it, vi } from 'vitest';
import type * as Models from '@flowgrad/models';
import type { OptionValues } from '@flowgrad/models';
import { resolveRun } from './run-config.ts';
import type { RunSettings } from './run-config.ts';
import { flagOf, nestedSettings, runFields } from './run-fields.ts';

const entry = vi.hoisted(() => ({
  dropRate: { kind: 'number', least: 0, most: 0.5, default: 0, about: 'share of messages dropped' } as const,
}));

vi.mock('@flowgrad/models', async (original) => {
  const real = await original<typeof Models>();
  return {
    ...real,
    modelOptions: { ...real.modelOptions, ...entry },
    optionsOf: (name: Models.ModelName) => ({ ...real.optionsOf(name), ...(name === 'GGNN-NoAct' && entry) }),
  };
});

const group = 'SINE-SZ8-STP4-NDRP-STD0.2';
const run = (dropRate: unknown): RunSettings =>
  ({ group, model: 'GGNN-NoAct', options: { dropRate } }) as unknown as RunSettings;

it('it is checked by its kind and range', () => {
  expect(resolveRun(run(0.25)).options).toEqual({ d: 40, dropRate: 0.25 });
  expect(() => resolveRun(run(0.75))).toThrow(
    'run: expected options.dropRate to be a number in 0..0.5, got 0.75',
  );
  expect(() => resolveRun({ ...run(0.25), model: 'GAT' })).toThrow(
    /expected options of GAT among .*, got 'dropRate'/,
  );
});

it('it has a name among the settings, a flag and a row of the table', () => {
  expect(nestedSettings({ dropRate: 0.25 } as object)).toEqual({ options: { dropRate: 0.25 } });
  expect(flagOf('dropRate')).toBe('drop-rate');
  expect(fieldTable(runFields)).toMatch(
    /\| `dropRate` +\| number in 0\.\.0\.5 +\| 0 +\| share of messages dropped/,
  );
});

it('it has a type', () => {
  expectTypeOf<OptionValues<typeof entry>>().toEqualTypeOf<{ readonly dropRate: number }>();
  expectTypeOf<NonNullable<RunSettings['options']>>()
    .toHaveProperty('heads')
    .toEqualTypeOf<number | undefined>();
});
