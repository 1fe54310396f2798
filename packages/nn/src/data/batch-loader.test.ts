import { randomKey } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';
import type { BatchLoader, BatchLoaderOptions } from './batch-loader.ts';

const key = randomKey(4);
const lists = (loader: BatchLoader<ArrayLike<number>>, epoch = 0): number[][] =>
  [...loader.epoch(epoch)].map((batch) => Array.from(batch));

describe('a batch loader', () => {
  it('gives the items in order without a key, the rest in a last, smaller batch', () => {
    const loader = createBatchLoader(5, { size: 2 });
    expect(lists(loader)).toEqual([[0, 1], [2, 3], [4]]);
    expect(lists(loader, 1)).toEqual(lists(loader));
    expect(loader.batchCount).toBe(3);
  });

  it('drops the rest when told so', () => {
    const loader = createBatchLoader(5, { size: 2, last: 'drop' });
    expect(lists(loader)).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(loader.batchCount).toBe(2);
    expect(lists(createBatchLoader(4, { size: 2, last: 'drop' }))).toHaveLength(2);
  });

  it('gives one batch of all when the size is as large or larger', () => {
    for (const size of [3, 4]) expect(lists(createBatchLoader(3, { size }))).toEqual([[0, 1, 2]]);
  });

  it('shuffles with a key: every item once, otherwise in every epoch and by every key', () => {
    const loader = createBatchLoader(101, { size: 8, key });
    const orders = [0, 1, 2].map((epoch) => lists(loader, epoch).flat());
    orders.push(lists(createBatchLoader(101, { size: 8, key: key.child('other') })).flat());
    for (const order of orders) {
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, i) => i));
    }
    expect(new Set(orders.map(String)).size).toBe(4);
  });

  it('gives an epoch again whenever it is asked, whatever was asked before', () => {
    const expected = lists(createBatchLoader(20, { size: 3, key }), 5);
    const loader = createBatchLoader(20, { size: 3, key });
    lists(loader, 2);
    loader.epoch(5).next();
    expect(lists(loader, 5)).toEqual(expected);
  });

  it('puts every item in every place about equally often', () => {
    const loader = createBatchLoader(4, { size: 4, key });
    const counts = Array.from({ length: 16 }, () => 0);
    for (let epoch = 0; epoch < 4000; epoch++) {
      for (const [place, item] of lists(loader, epoch)[0].entries()) counts[place * 4 + item] += 1;
    }
    // Rows and columns of counts have fixed sums, so ¾ of it has 9 degrees of freedom: above 33.7 once in ten thousand.
    const chiSquare = counts.reduce((total, count) => total + (count - 1000) ** 2 / 1000, 0);
    expect((chiSquare * 3) / 4).toBeLessThan(33.7);
  });

  it('gives batches of the kind of its items, and keeps its own copy of them', () => {
    const floats = Float32Array.of(0.5, 1.5, 2.5);
    const loader = createBatchLoader(floats, { size: 2 });
    floats[0] = 9;
    expect([...loader.epoch(0)]).toEqual([Float32Array.of(0.5, 1.5), Float32Array.of(2.5)]);
    const named = createBatchLoader(['a', 'b', 'c'], { size: 2, key });
    expect([...named.epoch(0)].flat().sort()).toEqual(['a', 'b', 'c']);
  });

  it.for<[number, object, string]>([
    [0, { size: 2 }, 'expected items for at least one batch, got 0'],
    [3, { size: 4, last: 'drop' }, 'expected items for at least one batch of 4, got 3'],
    [-1, { size: 2 }, 'count must be a whole number ≥ 0, got -1'],
    [3, { size: 0 }, 'size must be a whole number ≥ 1, got 0'],
    [3, { size: 1, last: 'pad' }, "expected last among keep, drop, got 'pad'"],
    [3, { size: 1, key: 5 }, 'key must be a RandomKey, got number (make it with randomKey)'],
    [3, { size: 1, shuffle: true }, "expected options among size, key, last, got 'shuffle'"],
  ])('refuses %s items and %o', ([count, options, message]) => {
    expect(() => createBatchLoader(count, options as BatchLoaderOptions)).toThrow(
      `createBatchLoader: ${message}`,
    );
  });

  it('refuses an epoch that is none', () => {
    expect(() => [...createBatchLoader(3, { size: 1 }).epoch(0.5)]).toThrow(
      'loader.epoch: epoch must be a whole number ≥ 0, got 0.5',
    );
  });
});
