/** Metrics more than three of the paper's deviations away: each is to be explained in a section of the README. */
import { metricNames } from '@flowgrad/evaluation';
import type { MetricName } from '@flowgrad/evaluation';
import type { PaperRun } from './paper-runs.ts';

/** A metric of a single run, in digits as the README has them: `62.4`, `.455` of an MRR, and `3.3` deviations. */
interface FarMetric {
  readonly run: PaperRun;
  readonly metric: MetricName;
  readonly value: string;
  readonly deviations: string;
}

/** Runs with fewer epochs than the paper's fifty are not to be compared. */
function farMetrics(runs: readonly PaperRun[]): FarMetric[] {
  const far = (run: PaperRun, metric: MetricName): FarMetric[] => {
    const ours = run.ours[metric].mean;
    const [mean, deviation] = run.paper[metric];
    const deviations = Math.abs(ours - mean) / deviation;
    const value = metric === 'mrr' ? ours.toFixed(3).slice(1) : ours.toFixed(1);
    return deviations > 3 ? [{ run, metric, value, deviations: deviations.toFixed(1) }] : [];
  };
  return runs
    .filter(({ epochs }) => epochs === 50)
    .flatMap((run) => metricNames.flatMap((metric) => far(run, metric)));
}

/** Those that no bullet of the section explains, in words. */
export function unexplained(readme: string, runs: readonly PaperRun[]): string[] {
  const [, section = ''] = readme.split(/^## More than three of the paper's standard deviations away$/m);
  const bullets = section.split(/^## /m)[0].match(/^- .*(\n {2}.*)*/gm) ?? [];
  return farMetrics(runs)
    .filter((far) => !bullets.some((bullet) => explains(bullet, far)))
    .map(({ run: { row, dynamics, sigma, seed }, metric, value, deviations }) => {
      const place = `${dynamics}${sigma === '0.5' ? ' at 0.5' : ''}`;
      return `${row} on ${place}, seed ${seed}: ${metric} ${value} by ${deviations}`;
    });
}

/** A bullet has the model, the dynamics, the value and the deviations, and is of σ = 0.2 unless it says `at 0.5`. */
function explains(bullet: string, { run, value, deviations }: FarMetric): boolean {
  const words = new Set<string>(bullet.match(/[A-Z][\w-]*|\d*\.\d+/g));
  const isOfSigma = bullet.includes('at 0.5') === (run.sigma === '0.5');
  return isOfSigma && [run.model, run.dynamics, value, deviations].every((word) => words.has(word));
}
