import { describe, expect, it } from 'vitest';
import { compareCeiling, REFERENCE_CEILINGS } from './ceiling-comparison.ts';

/** The first twenty, as they come. */
const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
const metrics = ['hits1', 'hits5', 'hits10', 'mr', 'mrr'] as const;

/** The reference prints this many decimals. */
const rounding = { hits1: 0.05, hits5: 0.05, hits10: 0.05, mr: 0.005, mrr: 0.0005 };

const groups = [...REFERENCE_CEILINGS.keys()];
const location = groups.filter((group) => group.startsWith('LOCATION'));

describe('the ceilings of an independent implementation', { timeout: 300_000 }, () => {
  it.each(groups.filter((group) => !location.includes(group)))(
    'come out within two standard errors: %s',
    (group) => {
      const { mean, reference, standardError } = compareCeiling(group, seeds);
      for (const metric of metrics) {
        const difference = Math.abs(mean[metric] - reference[metric]);
        expect(difference, `${metric}: ${mean[metric]} beside ${reference[metric]}`).toBeLessThanOrEqual(
          2 * standardError[metric] + rounding[metric],
        );
      }
    },
  );

  // A ceiling that rollouts alone surpass is none; see exact-destinations.test.ts for what holds this one.
  it.each(location)('are surpassed, by every metric: %s', (group) => {
    const { mean, reference } = compareCeiling(group, seeds);
    for (const metric of ['hits1', 'hits5', 'hits10', 'mrr'] as const) {
      expect(mean[metric]).toBeGreaterThan(reference[metric]);
    }
    expect(mean.mr).toBeLessThan(reference.mr);
  });

  it('are there for eight groups alone', () => {
    expect(groups).toHaveLength(8);
    expect(() => compareCeiling('LINE', seeds)).toThrow(/expected a group among LINE-SZ32-.*, got 'LINE'/);
  });
});
