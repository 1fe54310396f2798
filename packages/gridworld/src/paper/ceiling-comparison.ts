import { unknownName } from '@flowgrad/tensor';
import { generateDataset } from '../dataset/dataset.ts';
import { ceilingMetrics } from '../exact/ceiling.ts';
import type { RankingMetrics } from '../exact/ranking-metrics.ts';
import { summarizeSeeds } from './seed-summary.ts';
import type { SeedSummary } from './seed-summary.ts';

/**
 * Ceilings that an independent implementation found: raw ranking, test split, means over 20 seeds of its own.
 */
export const REFERENCE_CEILINGS: ReadonlyMap<string, RankingMetrics> = new Map([
  ['LINE-SZ32-STP16-NDRP-STD0.2', { hits1: 18.0, hits5: 62.7, hits10: 84.7, mr: 5.59, mrr: 0.377 }],
  ['LINE-SZ32-STP16-NDRP-STD0.5', { hits1: 17.0, hits5: 60.3, hits10: 82.3, mr: 6.29, mrr: 0.362 }],
  ['SINE-SZ32-STP16-NDRP-STD0.2', { hits1: 60.4, hits5: 99.9, hits10: 100, mr: 1.56, mrr: 0.778 }],
  ['SINE-SZ32-STP16-NDRP-STD0.5', { hits1: 20.5, hits5: 63.3, hits10: 82.0, mr: 6.33, mrr: 0.393 }],
  ['LOCATION-SZ32-STP16-NDRP-STD0.2', { hits1: 60.4, hits5: 94.6, hits10: 98.5, mr: 1.99, mrr: 0.757 }],
  ['LOCATION-SZ32-STP16-NDRP-STD0.5', { hits1: 21.5, hits5: 71.0, hits10: 87.5, mr: 5.99, mrr: 0.421 }],
  ['HISTORY-SZ32-STP16-NDRP-STD0.2', { hits1: 59.7, hits5: 95.3, hits10: 98.2, mr: 2.0, mrr: 0.753 }],
  ['HISTORY-SZ32-STP16-NDRP-STD0.5', { hits1: 20.3, hits5: 66.9, hits10: 85.5, mr: 5.86, mrr: 0.403 }],
]);

const REFERENCE_SEEDS = 20;

/** Ceilings of generated datasets beside those that were computed independently. */
export interface CeilingComparison extends SeedSummary<RankingMetrics> {
  readonly reference: RankingMetrics;
  /**
   * The standard error of the difference between this mean and the reference's, which is a mean over seeds
   * too.
   */
  readonly standardError: RankingMetrics;
}

/** The ceilings of a group's datasets over seeds, beside the reference. */
export function compareCeiling(group: string, seeds: readonly number[]): CeilingComparison {
  const reference = REFERENCE_CEILINGS.get(group);
  if (reference === undefined) {
    throw new RangeError(`compareCeiling: ${unknownName('a group', group, [...REFERENCE_CEILINGS.keys()])}`);
  }
  const summary = summarizeSeeds(seeds.map((seed) => ceilingMetrics(generateDataset(group, { seed })).raw));
  const errorOf = (deviation: number): number =>
    Math.sqrt(deviation ** 2 / summary.seeds + deviation ** 2 / REFERENCE_SEEDS);
  const { hits1, hits5, hits10, mr, mrr } = summary.deviation;
  const standardError = {
    hits1: errorOf(hits1),
    hits5: errorOf(hits5),
    hits10: errorOf(hits10),
    mr: errorOf(mr),
    mrr: errorOf(mrr),
  };
  return { ...summary, reference, standardError };
}
