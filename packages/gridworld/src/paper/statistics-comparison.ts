import { unknownName } from '@flowgrad/tensor';
import { generateDataset } from '../dataset/dataset.ts';
import { datasetStatistics } from '../dataset/statistics.ts';
import type { DatasetStatistics } from '../dataset/statistics.ts';
import { PAPER_STATISTICS } from './paper-statistics.ts';
import { summarizeSeeds } from './seed-summary.ts';
import type { SeedSummary } from './seed-summary.ts';

/** The paper's statistics are means over five seeds. */
const PAPER_SEEDS = 5;

/** Statistics of generated datasets beside the paper's. */
export interface StatisticsComparison extends SeedSummary<DatasetStatistics> {
  readonly paper: DatasetStatistics;
  /** How far the mean may lie from the paper's number. */
  readonly tolerance: Pick<DatasetStatistics, 'nodes' | 'edges' | 'trajectories' | 'trajectoryLength'>;
}

/**
 * Statistics of a group over seeds, beside the paper's. The tolerances are: nodes 1 (the paper cuts 1023.8 to
 * 1023), edges 0.5 %, length 0.2, trajectories 2 % or, if that is more, three standard errors of the paper's
 * own five-seed mean.
 */
export function compareStatistics(group: string, seeds: readonly number[]): StatisticsComparison {
  const paper = PAPER_STATISTICS.get(group);
  if (paper === undefined) {
    throw new RangeError(`compareStatistics: ${unknownName('a group', group, [...PAPER_STATISTICS.keys()])}`);
  }
  const summary = summarizeSeeds(seeds.map((seed) => datasetStatistics(generateDataset(group, { seed }))));
  const threeErrors = (3 * summary.deviation.trajectories) / Math.sqrt(PAPER_SEEDS);
  const tolerance = {
    nodes: 1,
    edges: 0.005 * paper.edges,
    trajectories: Math.max(0.02 * paper.trajectories, threeErrors),
    trajectoryLength: 0.2,
  };
  return { ...summary, paper, tolerance };
}
