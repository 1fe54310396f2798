import { expect, test } from 'vitest';
import { editDistance, nearestName } from './nearest-name.ts';

test.for([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['kitten', 'sitting', 3],
  ['trian', 'train', 1],
  ['ab', 'ba', 1],
  ['flaw', 'lawn', 2],
] as const)('from "%s" to "%s" it is %d', ([a, b, distance]) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test('the nearest is found whatever its capitals, and only if it is near', () => {
  expect(nearestName('ggnn-mulmlp', ['GGNN', 'GGNN-MulMlp'])).toBe('GGNN-MulMlp');
  expect(nearestName('zzzzzz', ['GGNN', 'GAT'])).toBeUndefined();
  expect(nearestName('a', [])).toBeUndefined();
});
