import { describe, expect, it } from 'vitest';
import { compareCeiling, REFERENCE_CEILINGS } from './ceiling-comparison.ts';

/** The first twenty, as they come. */
const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
const metrics = ['hits1', 'hits5', 'hits10', 'mr', 'mrr'] as const;

/** The reference prints this many decimals. */
const rounding = { hits1: 0.05, hits5: 0.05, hits10: 0.05, mr: 0.005, mrr: 0.0005 };

const groups = [...REFERENCE_CEILINGS.keys()];

describe('the ceilings of an independent implementation', { timeout: 300_000 }, () => {
  it.each(groups)('come out within 3.5 standard errors, the largest of eighty: %s', (group) => {
    const { mean, reference, standardError } = compareCeiling(group, seeds);
    for (const metric of metrics) {
      const difference = Math.abs(mean[metric] - reference[metric]);
      expect(difference, `${metric}: ${mean[metric]} beside ${reference[metric]}`).toBeLessThanOrEqual(
        3.5 * standardError[metric] + rounding[metric],
      );
    }
  });

  it('are there for sixteen groups alone', () => {
    expect(groups).toHaveLength(16);
    expect(() => compareCeiling('LINE', seeds)).toThrow(/expected a group among LINE-SZ32-.*, got 'LINE'/);
  });
});
