import { expect, it } from 'vitest';
import { axisRange, axisTicks, thin } from './curve-points.ts';

it('few points stay as they are, many become means of stretches', () => {
  const points = Array.from({ length: 1000 }, (_, i) => [i, i % 2] as const);
  expect(thin(points.slice(0, 40), 100)).toHaveLength(40);
  const thinned = thin(points, 200);
  expect(thinned).toHaveLength(100);
  expect(thinned[0]).toEqual([4.5, 0.5]);
});

it('an axis holds its values, and goes from 0 to 1 where there are none yet', () => {
  expect(axisRange([], true)).toEqual([0, 1]);
  expect(axisRange([], false)).toEqual([0, 1]);
  expect(axisRange([0, 0], true)).toEqual([0, 1]);
  expect(axisRange([0.2, 0.4], true)).toEqual([0, 0.4]);
  expect(axisRange([12, 30], false)).toEqual([12, 30]);
});

it('ticks are round and enclose the values', () => {
  expect(axisTicks(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(axisTicks(3.1, 4.7, 4)).toEqual([3, 3.5, 4, 4.5, 5]);
  expect(axisTicks(0, 57, 4)).toEqual([0, 20, 40, 60]);
  expect(axisTicks(2, 2, 4)[0]).toBeLessThanOrEqual(2);
});
