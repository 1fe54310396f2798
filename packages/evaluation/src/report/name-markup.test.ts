import { expect, it } from 'vitest';
import { elementsOf } from './report-runs.cases.ts';
import { nameMarkup } from './name-markup.ts';

it('a name breaks before a plus and behind a comma or a slash, and is otherwise as it was', () => {
  const name = 'RW-Stationary+learningRates=0.003,0.002/seed1';
  const { text } = nameMarkup(name);
  elementsOf(text);
  expect(text.replaceAll(/<[^>]*>/g, '')).toBe(name);
  expect(text.replaceAll(/<\/?span[^>]*>/g, '').split('<wbr/>')).toEqual([
    'RW-Stationary',
    '+learningRates=0.003,',
    '0.002/',
    'seed1',
  ]);
  expect(nameMarkup('a<b').text).toBe('a&lt;b');
});
