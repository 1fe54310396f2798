/** How closely attention follows the walks that happened, step by step. */
import type { FlowMetrics } from '../metrics/flow-metrics.ts';
import type { ChartLine } from './chart/chart-marks.ts';
import { lineChart } from './chart/line-chart.ts';
import type { RunGroup } from './group-runs.ts';
import { markup, Markup } from './markup.ts';

/** Undefined where no run that is done has explicit flow. */
export function flowCharts(group: RunGroup): Markup | undefined {
  const share = linesOf(group, 'share', 100);
  if (share.length === 0) return undefined;
  const charts = [
    lineChart(share, {
      title: 'Attention on the true trajectory',
      unit: '%',
      xLabel: 'step t',
      yIncludes: [0, 100],
    }),
    lineChart(linesOf(group, 'distance', 1), {
      title: 'From the mean of attention to the walker',
      unit: 'cells',
      xLabel: 'step t',
      yIncludes: [0],
    }),
  ];
  return markup`<div class="charts">${charts.map((chart) => markup`<figure>${new Markup(chart)}</figure>\n`)}</div>`;
}

/** The mean over a variant's runs. */
function linesOf({ variants }: RunGroup, measure: keyof FlowMetrics, factor: number): ChartLine[] {
  return variants.flatMap(({ name, look, runs }) => {
    const flows = runs.flatMap(({ result }) => (result?.flow ? [result.flow[measure]] : []));
    if (flows.length === 0) return [];
    const points = flows[0].map((_, t): [number, number] => [
      t,
      (factor * flows.reduce((sum, flow) => sum + flow[t], 0)) / flows.length,
    ]);
    return [{ name, look, points }];
  });
}
