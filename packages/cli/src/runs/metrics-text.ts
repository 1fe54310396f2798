/** Metrics as figures in a table. */
import { metricNames } from '@flowgrad/evaluation';
import type { MetricName } from '@flowgrad/evaluation';
import type { RankingMetrics } from '@flowgrad/data';

const digits: Readonly<Record<MetricName, number>> = { hits1: 1, hits5: 1, hits10: 1, mr: 2, mrr: 3 };

/** In the order of `metricNames`. */
export const metricTitles: readonly string[] = ['hits@1 %', 'hits@5 %', 'hits@10 %', 'mean rank', 'MRR'];

export function metricText(metric: MetricName, mean: number, deviation?: number): string {
  const text = (value: number): string => value.toFixed(digits[metric]);
  return deviation === undefined ? text(mean) : `${text(mean)} ± ${text(deviation)}`;
}

/** A cell for each metric. */
export const metricCells = (metrics: RankingMetrics): string[] =>
  metricNames.map((metric) => metricText(metric, metrics[metric]));

type Summary = Readonly<Record<MetricName, { readonly mean: number; readonly std: number }>>;

/** Cells of means alone. */
export const meanCells = (summary: Summary): string[] =>
  metricNames.map((metric) => metricText(metric, summary[metric].mean));

/** Cells of mean ± standard deviation. */
export const summaryCells = (summary: Summary): string[] =>
  metricNames.map((metric) => metricText(metric, summary[metric].mean, summary[metric].std));

export const emptyCells = (): string[] => metricNames.map(() => '–');
