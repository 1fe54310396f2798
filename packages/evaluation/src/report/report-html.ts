/** Runs as one HTML page that needs nothing but itself. Its elements are closed as in XML. */
import { counted } from '@flowgrad/files';
import { attendedFigures } from './attention/attended-questions.ts';
import { attentionExample } from './attention/attention-example.ts';
import { attentionFigure, attentionKey, rankNote } from './attention/attention-figure.ts';
import { differenceMark } from './difference-mark.ts';
import { flowCharts } from './flow-charts.ts';
import { groupRuns } from './group-runs.ts';
import type { GroupedRuns, RunGroup } from './group-runs.ts';
import { learningCurves } from './learning-curves.ts';
import { markup, Markup } from './markup.ts';
import type { Content } from './markup.ts';
import { listed } from './number-format.ts';
import { overviewTable } from './overview-table.ts';
import { isTrained } from './report-run.ts';
import type { ReportRun } from './report-run.ts';
import { reportStyle } from './report-style.ts';
import { resultsTable } from './results-table.ts';
import { whatRan } from './what-ran.ts';

/** What a report can be told. */
export interface ReportOptions {
  readonly title?: string;
}

// By these two a file is known for a report, and replaced by another: every report has begun like this and has had these words.
const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<link rel="icon" href="data:,"/>
<title>`;
const afterPaper = 'Models after “Modeling Attention Flow on Graphs” (Xu et al., 2018).';

/** Whether a page that begins like this is a report, of this release or of an older one. 64 KiB of it are enough. */
export function isReport(beginning: string): boolean {
  const lead = beginning.indexOf('<p class="lead">');
  return beginning.startsWith(pageStart) && lead >= 0 && beginning.indexOf(afterPaper, lead) > lead;
}

/**
 * The report of these runs as one HTML page that needs no other file: results beside the ceiling and the paper's,
 * learning curves, attention.
 */
export function reportHtml(
  runs: readonly ReportRun[],
  { title = 'Attention flow on graphs: results' }: ReportOptions = {},
): string {
  const grouped = groupRuns(runs);
  const { groups } = grouped;
  const sections: readonly { id: string; title: string; content: Content }[] = [
    { id: 'overview', title: 'Overview', content: overviewTable(groups) },
    { id: 'results', title: 'Results', content: results(groups) },
    { id: 'filtered', title: 'Filtered ranking', content: filtered(groups) },
    { id: 'learning', title: 'Learning curves', content: learning(groups) },
    { id: 'interpretation', title: 'Interpretation', content: interpretation(groups) },
    { id: 'flow', title: 'Attention flow', content: figures(groups) },
    { id: 'runs', title: 'What ran', content: perGroup(groups, whatRan) },
  ];
  const shown = sections.filter(({ content }) => content !== false);
  return markup`${new Markup(pageStart)}${title}</title>
<style>${new Markup(reportStyle)}</style>
</head>
<body>
<header><h1>${title}</h1>
<p class="lead">${overview(runs, grouped)}</p>
<nav>${shown.map((section) => markup`<a href="#${section.id}">${section.title}</a> `)}</nav></header>
<main>
${shown.map((section) => markup`<section id="${section.id}"><h2>${section.title}</h2>\n${section.content}</section>\n`)}</main>
</body>
</html>
`.text;
}

function overview(runs: readonly ReportRun[], { groups, shared }: GroupedRuns): string {
  const underWay = runs.filter((run) => !isTrained(run)).length;
  const parts = [
    `${counted(runs.length, 'run')} on ${counted(groups.length, 'dataset group')}`,
    ...(underWay > 0 ? [`${underWay} of them under way`] : []),
  ];
  const departures = shared.length > 0 ? ` All depart from the paper’s protocol in ${listed(shared)}.` : '';
  return `${parts.join(', ')}. ${afterPaper}${departures}`;
}

/** A heading for each group that has something to show; false if none has. */
function perGroup(
  groups: readonly RunGroup[],
  contentOf: (group: RunGroup, index: number) => Content,
): Content {
  const parts = groups.flatMap((group, i) => {
    const content = contentOf(group, i);
    return content === undefined || content === false ? [] : [markup`<h3>${group.name}</h3>\n${content}\n`];
  });
  return parts.length > 0 && parts;
}

function results(groups: readonly RunGroup[]): Content {
  const variants = groups.flatMap((group) => group.variants);
  const compared = variants.filter(({ paper, isUnderWay }) => paper && !isUnderWay);
  const ones = compared.filter((variant) => variant.counted.length === 1).length;
  const mark = (level: 1 | 2 | 3, isBetter: boolean): Markup => differenceMark({ level, isBetter });
  const marks = markup`The difference is ours − paper: ≈ within one σ, ${mark(1, true)} or ${mark(1, false)} up to two, ${mark(2, true)} up to three, ${mark(3, true)} beyond. ${mark(1, true)} is better than the paper, ${mark(1, false)} worse.`;
  const sigma = 'σ is √(σ² of ours + σ² of the paper)';
  const single =
    'a single run has a ± over its three snapshots only, so there σ is the paper’s own, and three triangles are more than three of the paper’s standard deviations';
  return markup`<p class="caption">Test split, raw ranking as in the paper. Mean ± standard deviation over runs × the three snapshots that are best on validation for the metric. Bold is our best; of MR less is better. The ceiling ranks by the exact probabilities of the runs’ own datasets: no model beats it in expectation.${
    variants.some(({ isUnderWay }) => isUnderWay) &&
    ' Numbers in italics are of runs under way, so far, and are not compared.'
  }</p>
${
  compared.length > 0 && markup`<p class="caption">${marks} ${sigma}${ones > 0 && `; ${single}`}.</p>\n`
}${perGroup(groups, (group) => resultsTable(group, 'raw'))}`;
}

function filtered(groups: readonly RunGroup[]): Content {
  return markup`<p class="caption">The same, without the other true destinations of the same source among the ranks. The paper has no such numbers.</p>
${perGroup(groups, (group) => resultsTable(group, 'filtered'))}`;
}

function learning(groups: readonly RunGroup[]): Content {
  const charts = perGroup(groups, (group) =>
    group.variants.some((variant) => variant.counted.length > 0) ? learningCurves(group) : undefined,
  );
  return (
    charts !== false &&
    markup`<p class="caption">After each epoch, raw ranking, filtered where a title says so. Several runs are drawn as their mean in the band from the lowest to the highest. Hollow marks at the right are the paper’s means ± standard deviation; the dotted line is the ceiling of the test split.</p>
${charts}`
  );
}

function interpretation(groups: readonly RunGroup[]): Content {
  const charts = perGroup(groups, flowCharts);
  return (
    charts !== false &&
    markup`<p class="caption">Means over the test split, with the parameters best on validation by MRR, of models with explicit flow. First, attention on nodes of the walk that really happened, 100 % if all of it is there; second, the distance between the mean position of attention and the walker at the same step.</p>
${charts}`
  );
}

function figures(groups: readonly RunGroup[]): Content {
  const walks = perGroup(groups, walkFigures);
  const graphs = perGroup(groups, attendedFigures);
  return (
    (walks !== false || graphs !== false) && [
      walks !== false &&
        markup`<p class="caption">The longest walk of the test split. First where it went, with the latent direction at each step; then, for each model with explicit flow, the most attention that a node has at any step. Below, attention step by step, cut to where it goes, with the walker as a ring and the share of attention on the walk’s nodes.</p>
${walks}`,
      graphs !== false &&
        markup`<p class="caption">Questions of the test split: the nodes with the most attention at any step, larger and stronger in colour where it is more, and the edges along which most of it flows, wider where it is more. In red the likeliest way from the source to the true answer. Nodes lie where the dataset puts them, or else near those they are linked to.</p>
${attentionKey({ source: 'source' })}${graphs}`,
    ]
  );
}

function walkFigures(group: RunGroup, index: number): Content {
  const example = attentionExample(group);
  if (!example) return undefined;
  const regular = example.shown.filter(({ attention }) => !attention.focused);
  const notes = regular.map(({ name, attention }) => `${name}: ${rankNote(attention.top, example.walk)}`);
  return markup`${attentionFigure(example, `world-${index}`)}${
    regular.length > 0 &&
    markup`<p class="caption">Regular networks have no attention on the way. ${listed(notes)}.</p>`
  }`;
}
