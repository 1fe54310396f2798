/** An option that a model has more is a flag, without another line here. */
import type * as Models from '@flowgrad/models';
import { expect, test, vi } from 'vitest';
import { commandHelp } from '../help-text.ts';
import { train } from '../commands/train.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { settingsOf } from './field-flag.ts';

vi.mock('@flowgrad/models', async (original) => {
  const real = await original<typeof Models>();
  const dropRate = { kind: 'number', least: 0, most: 0.5, default: 0, about: 'share of messages dropped' };
  return { ...real, modelOptions: { ...real.modelOptions, dropRate } };
});

test('its flag is read, checked and in the help', () => {
  const parse = (text: string) => settingsOf(parseCommandLine(train, ['--drop-rate', text]).flags);
  expect(parse('0.25')).toEqual({ options: { dropRate: 0.25 } });
  expect(() => parse('0.75')).toThrow("train: --drop-rate: expected a number in 0..0.5, got '0.75'");
  expect(commandHelp(train)).toMatch(/--drop-rate <x> +share of messages dropped \(default 0\)/);
});
