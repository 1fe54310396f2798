import type { DatasetStatistics } from '../dataset/statistics.ts';
import type { RankingMetrics } from '../exact/ranking-metrics.ts';
import { RESULTS_TABLE, STATISTICS_TABLE } from './paper-tables.text.ts';

/** A metric's mean and standard deviation over the runs and snapshots of the paper. */
export type PaperMetrics = {
  readonly [Metric in keyof RankingMetrics]: readonly [mean: number, deviation: number];
};

/**
 * Group → the statistics that the paper prints: means over five seeds, nodes and edges cut to whole numbers.
 */
export const PAPER_STATISTICS: ReadonlyMap<string, DatasetStatistics> = new Map(
  rowsOf(STATISTICS_TABLE).map(([group, ...cells]) => {
    const [nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength] = cells.map(Number);
    return [group, { nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength }];
  }),
);

/** Group → model → the results that the paper prints, raw ranking on the test split. */
export const PAPER_RESULTS: ReadonlyMap<string, ReadonlyMap<string, PaperMetrics>> = readResults();

function readResults(): Map<string, Map<string, PaperMetrics>> {
  const results = new Map<string, Map<string, PaperMetrics>>();
  let models = new Map<string, PaperMetrics>();
  for (const [name, ...cells] of rowsOf(RESULTS_TABLE)) {
    if (cells.length === 0) {
      models = new Map();
      results.set(name, models);
      continue;
    }
    const values = cells.map(Number);
    const pair = (metric: number): [number, number] => [values[2 * metric], values[2 * metric + 1]];
    models.set(name, { hits1: pair(0), hits5: pair(1), hits10: pair(2), mr: pair(3), mrr: pair(4) });
  }
  return results;
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
}
