/** Cells with a metric more than three of the paper's deviations away: a table of their runs, and what a section of the README explains. */
import { metricNames } from '@flowgrad/evaluation';
import type { MetricName } from '@flowgrad/evaluation';
import { inMarkdown, signed } from './markdown.ts';
import { deviationsOf } from './paper-runs.ts';
import type { PaperRun } from './paper-runs.ts';
import { cellsOf } from './tables.ts';

const titles: Record<MetricName, string> = {
  hits1: 'Hits@1 %',
  hits5: 'Hits@5 %',
  hits10: 'Hits@10 %',
  mr: 'MR',
  mrr: 'MRR',
};

/** `GGNN on SINE` → its runs on all data seeds, where one of them has a metric that is far. */
export function farCells(runs: readonly PaperRun[]): Map<string, readonly PaperRun[]> {
  const isFar = (run: PaperRun): boolean => metricNames.some((metric) => isFarIn(run, metric));
  return new Map(cellsOf(runs).flatMap((own) => (own.some(isFar) ? [[nameOf(own[0]), own]] : [])));
}

/** As the text calls it: `RW-Dynamic, mean on LOCATION at 0.5`. */
const nameOf = ({ row, dynamics, sigma }: PaperRun): string =>
  `${row} on ${dynamics}${sigma === '0.5' ? ' at 0.5' : ''}`;

/** Each run with all its metrics: ours · how many deviations away · the ceiling. */
export function farTableOf(runs: readonly PaperRun[]): string {
  const rows = [...farCells(runs)].flatMap(([cell, own]) =>
    own.map((run) => [cell, `${run.seed}`, ...metricNames.map((metric) => metricOf(run, metric))]),
  );
  return inMarkdown(['Model and group', 'Seed', ...metricNames.map((metric) => titles[metric])], rows);
}

/** What the section's bullets are about: `**GGNN on SINE**`. */
export function explainedCells(readme: string): string[] {
  const [, section = ''] = readme.split(/^## More than three of the paper's standard deviations away$/m);
  const bullets = section.split(/^## /m)[0].match(/^- .*(\n {2}.*)*/gm) ?? [];
  const text = bullets.join(' ').replace(/\s+/g, ' ');
  return [...text.matchAll(/\*\*([^*]+ on [^*]+)\*\*/g)].map(([, cell]) => cell);
}

function metricOf(run: PaperRun, metric: MetricName): string {
  const digits = (value: number): string => (metric === 'mrr' ? value.toFixed(3).slice(1) : value.toFixed(1));
  const away = signed(awayIn(run, metric));
  return [
    digits(run.ours[metric].mean),
    isFarIn(run, metric) ? `**${away}**` : away,
    digits(run.ceiling[metric]),
  ].join(' · ');
}

const isFarIn = (run: PaperRun, metric: MetricName): boolean => Math.abs(awayIn(run, metric)) > 3;

const awayIn = ({ ours, paper }: PaperRun, metric: MetricName): number =>
  deviationsOf(ours[metric].mean, paper[metric]);
