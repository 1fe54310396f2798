import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heaviest } from './heaviest.ts';

it('are those that sorting finds, the first of equals first', () => {
  // Many that are equal, and many that differ in their last digits alone.
  const weight = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double({ min: 0.5, max: 0.501, noNaN: true }));
  const weights = fc.array(weight, { maxLength: 40 });
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

it('takes as many as it is told where weights are not numbers', () => {
  expect(heaviest([NaN, 0.5, NaN, NaN], 2)).toHaveLength(2);
});
