import type { RankingMetrics } from '@flowgrad/data';
import { unknownName } from '@flowgrad/tensor';
import { generateDataset } from '../dataset/dataset.ts';
import { ceilingMetrics } from '../exact/ceiling.ts';
import { summarizeSeeds } from './seed-summary.ts';
import type { SeedSummary } from './seed-summary.ts';

/** Ceilings that an independent implementation found: raw ranking, all sources of a world, means over 20 seeds of its own. */
export const REFERENCE_CEILINGS: ReadonlyMap<string, RankingMetrics> = new Map([
  ['LINE-SZ32-STP16-NDRP-STD0.2', { hits1: 17.9, hits5: 62.5, hits10: 85.4, mr: 5.54, mrr: 0.375 }],
  ['LINE-SZ32-STP16-NDRP-STD0.5', { hits1: 17.0, hits5: 59.9, hits10: 82.2, mr: 6.33, mrr: 0.361 }],
  ['SINE-SZ32-STP16-NDRP-STD0.2', { hits1: 59.5, hits5: 99.9, hits10: 100.0, mr: 1.57, mrr: 0.774 }],
  ['SINE-SZ32-STP16-NDRP-STD0.5', { hits1: 20.3, hits5: 63.7, hits10: 83.0, mr: 6.19, mrr: 0.392 }],
  ['LOCATION-SZ32-STP16-NDRP-STD0.2', { hits1: 62.6, hits5: 96.1, hits10: 99.0, mr: 1.84, mrr: 0.773 }],
  ['LOCATION-SZ32-STP16-NDRP-STD0.5', { hits1: 21.9, hits5: 71.3, hits10: 88.4, mr: 5.62, mrr: 0.425 }],
  ['HISTORY-SZ32-STP16-NDRP-STD0.2', { hits1: 59.6, hits5: 94.4, hits10: 98.0, mr: 2.06, mrr: 0.75 }],
  ['HISTORY-SZ32-STP16-NDRP-STD0.5', { hits1: 20.2, hits5: 66.1, hits10: 85.0, mr: 5.93, mrr: 0.4 }],
  ['LINE-SZ32-STP16-EDRP-STD0.2', { hits1: 20.4, hits5: 66.4, hits10: 86.1, mr: 5.5, mrr: 0.403 }],
  ['LINE-SZ32-STP16-EDRP-STD0.5', { hits1: 19.5, hits5: 63.7, hits10: 82.7, mr: 6.46, mrr: 0.388 }],
  ['SINE-SZ32-STP16-EDRP-STD0.2', { hits1: 71.0, hits5: 99.9, hits10: 100.0, mr: 1.4, mrr: 0.84 }],
  ['SINE-SZ32-STP16-EDRP-STD0.5', { hits1: 23.4, hits5: 67.3, hits10: 85.1, mr: 5.88, mrr: 0.423 }],
  ['LOCATION-SZ32-STP16-EDRP-STD0.2', { hits1: 64.7, hits5: 97.8, hits10: 99.7, mr: 1.67, mrr: 0.79 }],
  ['LOCATION-SZ32-STP16-EDRP-STD0.5', { hits1: 23.4, hits5: 71.8, hits10: 89.1, mr: 5.22, mrr: 0.439 }],
  ['HISTORY-SZ32-STP16-EDRP-STD0.2', { hits1: 63.8, hits5: 95.6, hits10: 98.2, mr: 1.96, mrr: 0.777 }],
  ['HISTORY-SZ32-STP16-EDRP-STD0.5', { hits1: 22.8, hits5: 69.2, hits10: 86.7, mr: 5.58, mrr: 0.427 }],
]);

/** Ceilings of generated datasets beside those that were computed independently. */
export interface CeilingComparison extends SeedSummary<RankingMetrics> {
  readonly reference: RankingMetrics;
  /** Of the mean over seeds. A reference over all sources of its worlds has a smaller one. */
  readonly standardError: RankingMetrics;
}

/** The ceilings of a group's datasets over seeds, beside the reference. */
export function compareCeiling(group: string, seeds: readonly number[]): CeilingComparison {
  const reference = REFERENCE_CEILINGS.get(group);
  if (reference === undefined) {
    throw new RangeError(`compareCeiling: ${unknownName('a group', group, [...REFERENCE_CEILINGS.keys()])}`);
  }
  const summary = summarizeSeeds(seeds.map((seed) => ceilingMetrics(generateDataset(group, { seed })).raw));
  const errorOf = (deviation: number): number => deviation / Math.sqrt(summary.seeds);
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
