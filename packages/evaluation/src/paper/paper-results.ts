import type { RankingMetrics } from '@flowgrad/data';
import { RESULTS_TABLE } from './paper-results.text.ts';

/** A metric's mean and standard deviation over the runs and snapshots of the paper. */
export type PaperMetrics = {
  readonly [Metric in keyof RankingMetrics]: readonly [mean: number, deviation: number];
};

/** Group → model → the results that the paper prints, raw ranking on the test split. */
export const PAPER_RESULTS: ReadonlyMap<string, ReadonlyMap<string, PaperMetrics>> = readResults();

function readResults(): Map<string, Map<string, PaperMetrics>> {
  const results = new Map<string, Map<string, PaperMetrics>>();
  let models = new Map<string, PaperMetrics>();
  for (const row of RESULTS_TABLE.trim().split('\n')) {
    const [name, ...cells] = row.trim().split(/\s+/);
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
