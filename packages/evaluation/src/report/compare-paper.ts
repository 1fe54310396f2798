/** How far a mean of ours is from the paper's. */
import type { PaperMetrics } from '../paper/paper-results.ts';
import { isLowerBetter } from '../metrics/best-epochs.ts';
import type { MetricName, MetricSummary } from '../metrics/best-epochs.ts';

export interface PaperDifference {
  /** Ours minus the paper's. */
  readonly difference: number;
  /** |difference| in standard deviations; 0 where both are 0. */
  readonly deviations: number;
  /** 0 up to one standard deviation, 1 up to two, 2 up to three, 3 beyond. */
  readonly level: 0 | 1 | 2 | 3;
  readonly isBetter: boolean;
}

/**
 * In units of √(σ_ours² + σ_paper²). Of one run, σ_ours is over snapshots alone, which are nearly the same model: it
 * says nothing about other runs, so the paper's σ counts alone.
 */
export function differenceFromPaper(
  metric: MetricName,
  ours: Pick<MetricSummary, 'mean' | 'std'>,
  paper: PaperMetrics,
  runs: number,
): PaperDifference {
  const [mean, deviation] = paper[metric];
  const sigma = runs === 1 ? deviation : Math.hypot(ours.std, deviation);
  const difference = ours.mean - mean;
  const deviations = difference === 0 ? 0 : Math.abs(difference) / sigma;
  const level = deviations <= 1 ? 0 : deviations <= 2 ? 1 : deviations <= 3 ? 2 : 3;
  return { difference, deviations, level, isBetter: isLowerBetter(metric) ? difference < 0 : difference > 0 };
}
