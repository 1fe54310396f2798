import { expect, it } from 'vitest';
import { attentionAt, beltOf } from './belt.ts';

const focused = [
  [1, 0, 0],
  [0.25, 0.75, 0],
  [0, 0.5, 0.5],
].map((attention) => Float32Array.from(attention));

it('the belt has the most attention of each node', () => {
  expect([...beltOf(focused)]).toEqual([1, 0.75, 0.5]);
  expect([...focused[0]]).toEqual([1, 0, 0]);
});

it('attention between two steps lies between them and sums to 1', () => {
  expect([...attentionAt(focused, 1)]).toEqual([0.25, 0.75, 0]);
  expect([...attentionAt(focused, 1.5)]).toEqual([0.125, 0.625, 0.25]);
  expect([...attentionAt(focused, 2)]).toEqual([0, 0.5, 0.5]);
});
