import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heaviest } from './heaviest.ts';

it('are those that sorting finds, the first of equals first', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 45 }), (all, most) => {
      const places = all.map((_, i) => i).sort((i, j) => all[j] - all[i] || i - j);
      expect([...heaviest(all, most)]).toEqual(places.slice(0, most).sort((i, j) => i - j));
    }),
    { seed: 1, numRuns: 500 },
  );
});

it('takes of equals those whose ids come first', () => {
  expect([...heaviest([1, 2, 1, 1], 2, Int32Array.of(9, 1, 4, 7))]).toEqual([1, 2]);
});
