/** What the paper prints for a run, where it has it. */
import { isLowerBetter, metricNames, PAPER_RESULTS } from '@flowgrad/evaluation';
import type { PaperMetrics } from '@flowgrad/evaluation';
import { metricText } from './metrics-text.ts';

export function paperResult(group: string, model: string): PaperMetrics | undefined {
  return PAPER_RESULTS.get(group)?.get(model);
}

export const paperCells = (metrics: PaperMetrics): string[] =>
  metricNames.map((metric) => metricText(metric, ...metrics[metric]));

/** For each metric the best mean of all the paper's models; undefined for groups that are not the paper's. */
export function paperBest(group: string): Record<(typeof metricNames)[number], number> | undefined {
  const models = [...(PAPER_RESULTS.get(group)?.values() ?? [])];
  if (models.length === 0) return undefined;
  return Object.fromEntries(
    metricNames.map((metric) => {
      const means = models.map((model) => model[metric][0]);
      return [metric, isLowerBetter(metric) ? Math.min(...means) : Math.max(...means)];
    }),
  ) as Record<(typeof metricNames)[number], number>;
}
