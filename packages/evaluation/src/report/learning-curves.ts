/** Loss and metrics by epoch. */
import { rankingOf } from '../metrics/best-epochs.ts';
import type { MetricName, RankingName } from '../metrics/best-epochs.ts';
import type { EpochRecord } from '../run/run-record.ts';
import type { ChartLevel, ChartLine } from './chart/chart-marks.ts';
import { lineChart } from './chart/line-chart.ts';
import { meanCeiling, seedSets } from './group-runs.ts';
import type { RunGroup } from './group-runs.ts';
import { markup, Markup } from './markup.ts';
import { formatMetric, listed, metricTitles } from './number-format.ts';

const shownMetrics: readonly MetricName[] = ['hits1', 'mrr'];

export function learningCurves(group: RunGroup): Markup {
  const xIncludes = [0, ...group.variants.flatMap(({ runs }) => runs.map(({ config }) => config.epochs))];
  const axis = { xLabel: 'epoch', xIncludes };
  // One group is of one dataset.
  const ranking = rankingOf(group.variants[0].runs[0].config);
  const losses = linesOf(group, ({ loss }) => loss);
  const charts = [lineChart(losses, { ...axis, title: 'Training loss', unit: 'nats' })];
  for (const metric of shownMetrics) {
    const valid = linesOf(group, (epoch) => epoch.valid[ranking][metric]);
    const test = linesOf(group, (epoch) => epoch.test[ranking][metric]);
    const levels = ceilingLevels(group, metric, ranking);
    const estimates = group.variants.flatMap(({ name, look, paper }) =>
      paper ? [{ name: `${name}, paper`, look, mean: paper[metric][0], deviation: paper[metric][1] }] : [],
    );
    const options = {
      ...axis,
      ...(metric.startsWith('hits') && { unit: '%' }),
      // Both charts of a metric have the same axis.
      yIncludes: [
        0,
        ...[...valid, ...test].flatMap(({ points }) => points.map(([, y]) => y)),
        ...levels.map(({ value }) => value),
        ...estimates.flatMap(({ mean, deviation }) => [mean - deviation, mean + deviation]),
      ],
    };
    const title = ranking === 'raw' ? metricTitles[metric] : `${metricTitles[metric]} filtered`;
    charts.push(
      lineChart(valid, { ...options, title: `${title}, validation` }),
      lineChart(test, { ...options, title: `${title}, test`, levels, estimates, estimatesLabel: 'paper' }),
    );
  }
  return markup`<div class="charts learning">${charts.map((chart) => markup`<figure>${new Markup(chart)}</figure>\n`)}</div>`;
}

/** A line for each variant: the mean over its runs, as far as all of them have come, in the band of all of them. */
function linesOf({ variants }: RunGroup, valueOf: (epoch: EpochRecord) => number): ChartLine[] {
  return variants
    .filter(({ counted }) => counted.length > 0)
    .map(({ name, look, counted }) => {
      const epochs = Math.min(...counted.map((run) => run.epochs.length));
      const values = counted[0].epochs
        .slice(0, epochs)
        .map(({ epoch }, i) => ({ epoch, of: counted.map((run) => valueOf(run.epochs[i])) }));
      return {
        name,
        look,
        points: values.map(({ epoch, of }) => [epoch, of.reduce((sum, value) => sum + value, 0) / of.length]),
        ...(counted.length > 1 && {
          spread: values.map(({ epoch, of }) => [epoch, Math.min(...of), Math.max(...of)] as const),
        }),
      };
    });
}

/** One for each set of datasets that a line is of. */
function ceilingLevels(group: RunGroup, metric: MetricName, ranking: RankingName): ChartLevel[] {
  const sets = seedSets(group);
  return sets.flatMap((seeds) => {
    const ceiling = meanCeiling(group, seeds, ranking);
    if (!ceiling) return [];
    const which = sets.length > 1 ? ` (${seeds.length === 1 ? 'seed' : 'seeds'} ${listed(seeds)})` : '';
    return [{ label: `ceiling ${formatMetric(metric, ceiling[metric])}${which}`, value: ceiling[metric] }];
  });
}
