/** What the paper reports of a run: for each metric, test values at the three epochs best on validation. */
import type { RankingMetrics, RawAndFiltered } from '@flowgrad/data';
import { isCard } from '../run/dataset-card.ts';
import type { RunConfig } from '../run/run-config.ts';
import type { EpochMetrics } from '../run/run-record.ts';

/** A ranking metric by name: hits1, hits5, hits10, mr or mrr. */
export type MetricName = keyof RankingMetrics;
/** Whether other true destinations of the source count among the ranks (`raw`) or not (`filtered`). */
export type RankingName = keyof RawAndFiltered;

/** In the order of the paper's tables. */
export const metricNames: readonly MetricName[] = ['hits1', 'hits5', 'hits10', 'mr', 'mrr'];
/** Only for the mean rank less is better. */
export const isLowerBetter = (metric: MetricName): boolean => metric === 'mr';

/**
 * The ranking by which a run's best epochs are chosen: the paper's, which is raw; filtered where questions are asked, as these
 * have several right answers.
 */
export const rankingOf = ({ group }: Pick<RunConfig, 'group'>): RankingName =>
  isCard(group) && group.queries > 0 ? 'filtered' : 'raw';

/** How many snapshots of a run count. */
export const snapshotCount = 3;

/** The epochs best on validation for one metric, best first; of equals the earlier. */
export function bestEpochs(
  epochs: readonly EpochMetrics[],
  metric: MetricName,
  ranking: RankingName = 'raw',
): readonly EpochMetrics[] {
  const sign = isLowerBetter(metric) ? 1 : -1;
  return epochs
    .toSorted((a, b) => sign * (a.valid[ranking][metric] - b.valid[ranking][metric]) || a.epoch - b.epoch)
    .slice(0, snapshotCount);
}

/** One metric over the epochs that were best on the validation split. */
export interface MetricSummary {
  /** Where the values come from. */
  readonly epochs: readonly number[];
  /** On the test split. */
  readonly values: readonly number[];
  readonly mean: number;
  /** Over the values, with n in the denominator; 0 of one. */
  readonly std: number;
}

/** The summary of every metric of a run. */
export type RunSummary = Readonly<Record<MetricName, MetricSummary>>;

/** The snapshots of one run, or of several runs of the same kind taken together. */
export function summarizeRuns(
  runs: readonly (readonly EpochMetrics[])[],
  ranking: RankingName = 'raw',
): RunSummary {
  const of = (metric: MetricName): MetricSummary => {
    const snapshots = runs.flatMap((epochs) => bestEpochs(epochs, metric, ranking));
    const values = snapshots.map(({ test }) => test[ranking][metric]);
    return { epochs: snapshots.map(({ epoch }) => epoch), values, ...meanAndStd(values) };
  };
  return Object.fromEntries(metricNames.map((metric) => [metric, of(metric)])) as unknown as RunSummary;
}

function meanAndStd(values: readonly number[]): { mean: number; std: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, std: Math.sqrt(variance) };
}

/** What is known of a run when one of several is chosen. */
export interface CandidateRun {
  readonly config: RunConfig;
  readonly epochs: readonly EpochMetrics[];
}

/** Of runs that differ in their shuffling alone, the one whose epochs have the best MRR on validation; of equals the first. */
export function bestShufflings<Run extends CandidateRun>(runs: readonly Run[]): Run[] {
  const chosen = new Map<string, { readonly run: Run; readonly score: number }>();
  for (const run of runs) {
    const ranking = rankingOf(run.config);
    const best = bestEpochs(run.epochs, 'mrr', ranking).map(({ valid }) => valid[ranking].mrr);
    // A run without an epoch gives way to any other.
    const score = best.length === 0 ? -1 : meanAndStd(best).mean;
    const key = JSON.stringify({ ...run.config, shuffling: 0 });
    const known = chosen.get(key);
    if (!known || score > known.score) chosen.set(key, { run, score });
  }
  return Array.from(chosen.values(), ({ run }) => run);
}

/** When a run had come near its best on validation: the first epoch with 95 % of its best MRR, and the seconds until then. */
export function nearlyBest(
  epochs: readonly (EpochMetrics & { readonly seconds: number })[],
  ranking: RankingName = 'raw',
): { readonly epoch: number; readonly seconds: number } | undefined {
  const best = Math.max(...epochs.map(({ valid }) => valid[ranking].mrr));
  let seconds = 0;
  for (const each of epochs) {
    seconds += each.seconds;
    if (each.valid[ranking].mrr >= 0.95 * best) return { epoch: each.epoch, seconds };
  }
  return undefined;
}

/** Epochs that are among the best for some metric: those whose parameters are worth keeping. */
export function epochsToKeep(
  epochs: readonly EpochMetrics[],
  ranking: RankingName = 'raw',
): ReadonlySet<number> {
  const best = metricNames.flatMap((metric) => bestEpochs(epochs, metric, ranking));
  return new Set(best.map(({ epoch }) => epoch));
}
