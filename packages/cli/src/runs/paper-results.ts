/** What the paper prints for a run, where it has it. */
import { isLowerBetter, metricNames, PAPER_RESULTS } from '@flowgrad/evaluation';
import type { PaperMetrics, RunConfig } from '@flowgrad/evaluation';
import { metricText } from './metrics-text.ts';

/** A world or dataset of one's own is not the paper's, whatever its name. */
export function paperResult({ group, model }: Pick<RunConfig, 'group' | 'model'>): PaperMetrics | undefined {
  return typeof group === 'string' ? PAPER_RESULTS.get(group)?.get(model) : undefined;
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
