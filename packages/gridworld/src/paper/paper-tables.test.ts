import { describe, expect, it } from 'vitest';
import { PAPER_RESULTS, PAPER_STATISTICS } from './paper-tables.ts';
import { summarizeSeeds } from './seed-summary.ts';

describe('the tables of the paper', () => {
  it('have statistics of 24 groups and results of 160 models', () => {
    expect(PAPER_STATISTICS.size).toBe(24);
    expect([...PAPER_RESULTS.values()].map((models) => models.size).reduce((a, b) => a + b)).toBe(160);
  });

  it('have a number in every cell', () => {
    const statistics = [...PAPER_STATISTICS.values()].flatMap(
      ({ nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength: length }) => [
        nodes,
        edges,
        trajectories,
        trajectoriesPerNode,
        length,
      ],
    );
    const results = [...PAPER_RESULTS.values()].flatMap((models) =>
      [...models.values()].flatMap(({ hits1, hits5, hits10, mr, mrr }) =>
        [hits1, hits5, hits10, mr, mrr].flat(),
      ),
    );
    expect([statistics.length, results.length]).toEqual([24 * 5, 160 * 10]);
    expect([...statistics, ...results].every((value) => Number.isFinite(value))).toBe(true);
  });

  it('are read by row and column', () => {
    expect(PAPER_STATISTICS.get('SINE-SZ64-STP32-NDRP-STD0.5')).toEqual({
      nodes: 3686,
      edges: 25891,
      trajectories: 19233,
      trajectoriesPerNode: 5.2,
      trajectoryLength: 11.7,
    });
    expect(PAPER_RESULTS.get('LINE-SZ32-STP16-NDRP-STD0.2')?.get('GGNN-MulMlp')).toEqual({
      hits1: [17.08, 0.77],
      hits5: [61.45, 1.82],
      hits10: [83.54, 1.89],
      mr: [6.316, 0.684],
      mrr: [0.3673, 0.0111],
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
