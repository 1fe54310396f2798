import { describe, expect, it } from 'vitest';
import { PAPER_STATISTICS } from './paper-statistics.ts';
import { summarizeSeeds } from './seed-summary.ts';

describe('the table of datasets of the paper', () => {
  it('has statistics of 24 groups, a number in every cell', () => {
    const statistics = [...PAPER_STATISTICS.values()].flatMap(
      ({ nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength: length }) => [
        nodes,
        edges,
        trajectories,
        trajectoriesPerNode,
        length,
      ],
    );
    expect(PAPER_STATISTICS.size).toBe(24);
    expect(statistics.length).toBe(24 * 5);
    expect(statistics.every((value) => Number.isFinite(value))).toBe(true);
  });

  it('is read by row and column', () => {
    expect(PAPER_STATISTICS.get('SINE-SZ64-STP32-NDRP-STD0.5')).toEqual({
      nodes: 3686,
      edges: 25891,
      trajectories: 19233,
      trajectoriesPerNode: 5.2,
      trajectoryLength: 11.7,
    });
  });
});

describe('summarizeSeeds', () => {
  it('has means and sample deviations by column', () => {
    const summary = summarizeSeeds([
      { a: 1, b: 2 },
      { a: 3, b: 2 },
    ]);
    expect(summary).toEqual({ mean: { a: 2, b: 2 }, deviation: { a: Math.SQRT2, b: 0 }, seeds: 2 });
    expect(() => summarizeSeeds([{ a: 1 }])).toThrow('expected at least two seeds, got 1');
  });
});
