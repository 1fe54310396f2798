import { expect, it } from 'vitest';
import { growthOf } from './flat.ts';

it('leaves out the warm-up, and finds a slow rise', () => {
  const settled = Array.from({ length: 100 }, (_, i) => Math.min(150, 80 + 5 * i));
  expect(growthOf(settled)).toEqual({ settled: 150, last: 150, perRound: 0 });
  const rising = Array.from({ length: 100 }, (_, i) => 100 + 0.75 * i);
  expect(growthOf(rising).perRound).toBeCloseTo(0.75, 1.2);
});
