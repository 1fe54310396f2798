import { describe, expect, it } from 'vitest';
import { RandomStream, shufflingOrder, SPLIT_STREAM } from './random-stream.ts';

describe('RandomStream', () => {
  it('draws each number below the bound about equally often', () => {
    const stream = new RandomStream(7, SPLIT_STREAM);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) counts[stream.below(10)]++;
    // 9 degrees of freedom: above 33.7 once in ten thousand.
    const chiSquare = counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
    expect(chiSquare).toBeLessThan(33.7);
  });

  it('has no bias where the bound does not divide 2³²', () => {
    // Three quarters of 2³²: without rejection every third number would come twice as often as the others.
    const stream = new RandomStream(7, SPLIT_STREAM);
    const counts = [0, 0, 0];
    for (let i = 0; i < 3000; i++) counts[stream.below(3 * 2 ** 30) % 3]++;
    // 2 degrees of freedom: above 18.4 once in ten thousand.
    expect(counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(18.4);
  });

  it('draws nothing but 0 below 1', () => {
    expect(new RandomStream(1, SPLIT_STREAM).below(1)).toBe(0);
  });

  it('permutes: every index once, and none or one as they are', () => {
    const order = new RandomStream(3, 0).permutation(100);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect([...order]).not.toEqual([...order].sort((a, b) => a - b));
    expect([...new RandomStream(3, 0).permutation(0)]).toEqual([]);
    expect([...new RandomStream(3, 0).permutation(1)]).toEqual([0]);
  });

  it('has separate streams for separate purposes and seeds', () => {
    const firstWords = [0, 1, 2, 3, 4].flatMap((stream) =>
      [0, 1].map((seed) => new RandomStream(seed, stream).nextUint32()),
    );
    expect(new Set(firstWords).size).toBe(firstWords.length);
  });

  it.each([-1, 0.5, 2 ** 32, Number.NaN])('refuses %d as a seed', (seed) => {
    expect(() => new RandomStream(seed, SPLIT_STREAM)).toThrow(
      'expected seed to be an integer in 0..4294967295',
    );
  });
});

describe('shufflingOrder', () => {
  it('differs between epochs and seeds, and is the same again for the same', () => {
    const order = (seed: number, epoch: number): string => shufflingOrder(50, { seed, epoch }).join();
    expect(new Set([order(1, 0), order(1, 1), order(2, 0)]).size).toBe(3);
    expect(order(1, 1)).toBe(order(1, 1));
  });
});
