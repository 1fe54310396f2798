import { expect, test } from 'vitest';
import { Numbering } from './numbering.ts';

test('numbers ids in the order in which they come, and begins anew', () => {
  const numbers = new Numbering(10);
  expect([7, 2, 7, 9, 2].map((id) => numbers.of(id))).toEqual([0, 1, 0, 2, 1]);
  expect([...numbers.ids.subarray(0, numbers.count)]).toEqual([7, 2, 9]);
  numbers.clear();
  expect(numbers.count).toBe(0);
  expect([9, 7, 0, 9].map((id) => numbers.of(id))).toEqual([0, 1, 2, 0]);
});

test('goes on when its numbers have come to an end', () => {
  const most = 2 ** 16;
  const numbers = new Numbering(most);
  // So often that they would pass 2³¹, were they not taken back.
  for (let turn = 0; turn <= 2 ** 15; turn++) {
    numbers.clear();
    numbers.of(turn % most);
    numbers.count = most;
  }
  numbers.clear();
  expect([5, 4, 5].map((id) => numbers.of(id))).toEqual([0, 1, 0]);
});
