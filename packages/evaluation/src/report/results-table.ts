/** The numbers of a group: ours beside the paper's, below the ceiling. */
import { counted } from '@flowgrad/files';
import { isLowerBetter, metricNames, summarizeRuns } from '../metrics/best-epochs.ts';
import type { MetricName, RankingName, RunSummary } from '../metrics/best-epochs.ts';
import { differenceFromPaper } from './compare-paper.ts';
import type { PaperDifference } from './compare-paper.ts';
import { differenceMark } from './difference-mark.ts';
import { meanCeiling, seedSets, seedsOf, shareOfCeiling } from './group-runs.ts';
import type { RunGroup, Variant } from './group-runs.ts';
import { markup } from './markup.ts';
import type { Content, Markup } from './markup.ts';
import { nameMarkup } from './name-markup.ts';
import { formatDifference, formatFixed, formatMetric, listed, metricTitles } from './number-format.ts';
import { progressOf } from './report-run.ts';

interface Row {
  readonly variant: Variant;
  /** Undefined before the first epoch. */
  readonly summary: RunSummary | undefined;
}

/** A longer name has a row of its own, so that its column leaves room for the numbers. */
const longestBeside = 14;

/** The paper's numbers are raw, so the filtered table has none. */
export function resultsTable(group: RunGroup, ranking: RankingName): Markup {
  const rows = group.variants.map((variant): Row => {
    const epochs = variant.counted.map((run) => run.epochs);
    return { variant, summary: epochs.length === 0 ? undefined : summarizeRuns(epochs, ranking) };
  });
  const best = bestMeans(rows);
  const heads = metricNames.map(
    (metric) =>
      markup`<th scope="col" class="number">${metricTitles[metric]}<span class="std">${metric.startsWith('hits') && ' %'}</span></th>`,
  );
  return markup`<div class="scroll"><table class="results">
<thead><tr><th scope="col">Model</th>${heads}</tr></thead>
${rows.map((row) => markup`<tbody>${modelRows(group, row, ranking, best)}</tbody>\n`)}${ceilingRows(group, ranking)}</table></div>`;
}

function modelRows(
  group: RunGroup,
  { variant, summary }: Row,
  ranking: RankingName,
  best: Partial<RunSummary>,
): Content {
  const { name, paper, counted: runs, isUnderWay } = variant;
  const ours = metricNames.map((metric) => {
    if (!summary) return cell(metric, NaN);
    const { mean, std } = summary[metric];
    const isBest = !isUnderWay && best[metric]?.mean === mean;
    return cell(metric, mean, std, isUnderWay ? 'unfinished' : isBest ? 'best' : '');
  });
  const title = markup`${nameMarkup(name)}<span class="note">${noteOf(variant)}</span>`;
  const share = summary && !isUnderWay ? shareOfCeiling(group, variant, summary, ranking) : undefined;
  const reached =
    share &&
    markup`<tr class="reached"><th scope="row">of the ceiling</th>${metricNames.map((metric) => markup`<td class="number">${formatFixed(100 * share[metric], 0)}<span class="std"> %</span></td>`)}</tr>`;
  const isCompared = ranking === 'raw' && paper !== undefined;
  if (!isCompared && name.length <= longestBeside)
    return [markup`<tr><th scope="row" class="model">${title}</th>${ours}</tr>`, reached];
  const own = [
    markup`<tr><th scope="rowgroup" colspan="6" class="model">${title}</th></tr>`,
    markup`<tr><th scope="row">ours</th>${ours}</tr>`,
    reached,
  ];
  if (!isCompared) return own;
  const rows = [
    ...own,
    markup`<tr><th scope="row">paper</th>${metricNames.map((metric) => cell(metric, ...paper[metric]))}</tr>`,
  ];
  if (!summary || isUnderWay) return rows;
  const differences = metricNames.map((metric) =>
    differenceCell(metric, differenceFromPaper(metric, summary[metric], paper, runs.length)),
  );
  return [...rows, markup`<tr><th scope="row">difference</th>${differences}</tr>`];
}

function cell(metric: MetricName, mean: number, std?: number, kind = ''): Markup {
  const deviation = std !== undefined && ` ±\u00a0${formatMetric(metric, std)}`;
  return markup`<td class="number ${kind}">${formatMetric(metric, mean)}<span class="std">${deviation}</span></td>`;
}

function differenceCell(metric: MetricName, compared: PaperDifference): Markup {
  const { difference, deviations, level, isBetter } = compared;
  const kind = level === 0 ? '' : isBetter ? 'better' : 'worse';
  const far = deviations > 99 ? '>\u00a099' : formatFixed(deviations, 1);
  return markup`<td class="number ${kind}">${formatDifference(metric, difference)}<span class="std"> ${differenceMark(compared)} ${far}\u00a0σ</span></td>`;
}

function noteOf(variant: Variant): string {
  const { runs, counted: used, isUnderWay } = variant;
  const seeds = seedsOf(variant);
  if (used.length === 0) return `${counted(runs.length, 'run')}, no epoch yet`;
  const what = `${counted(used.length, 'run')}, ${seeds.length === 1 ? 'seed' : 'seeds'} ${listed(seeds)}`;
  if (isUnderWay) return `under way: ${what}, ${used.map(progressOf).join('; ')}`;
  const others = runs.length - used.length;
  return others === 0 ? what : `${what}; ${others} more under way`;
}

/** The best of each column among the trained, if there is something to choose from. */
function bestMeans(rows: readonly Row[]): Partial<RunSummary> {
  const summaries = rows.flatMap(({ variant, summary }) => (summary && !variant.isUnderWay ? [summary] : []));
  if (summaries.length < 2) return {};
  const best = (metric: MetricName) =>
    summaries
      .map((summary) => summary[metric])
      .reduce((a, b) => ((isLowerBetter(metric) ? b.mean < a.mean : b.mean > a.mean) ? b : a));
  return Object.fromEntries(metricNames.map((metric) => [metric, best(metric)]));
}

/** One row for each set of seeds that some model was trained on. */
function ceilingRows(group: RunGroup, ranking: RankingName): Content {
  const rows = seedSets(group).flatMap((seeds) => {
    const ceiling = meanCeiling(group, seeds, ranking);
    if (!ceiling) return [];
    const cells = metricNames.map((metric) => cell(metric, ceiling[metric]));
    return [
      markup`<tr class="ceiling"><th scope="row">Ceiling<span class="note">${seeds.length === 1 ? 'seed' : 'mean of seeds'} ${listed(seeds)}</span></th>${cells}</tr>\n`,
    ];
  });
  return rows.length > 0 && markup`<tbody>${rows}</tbody>\n`;
}
