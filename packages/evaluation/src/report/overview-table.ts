/** All models in all groups at a glance: Hits@1 of ours, of the paper, and the ceiling. */
import { summarizeRuns } from '../metrics/best-epochs.ts';
import { differenceFromPaper } from './compare-paper.ts';
import { differenceMark } from './difference-mark.ts';
import { meanCeiling, seedsOf, shareOfCeiling } from './group-runs.ts';
import type { RunGroup } from './group-runs.ts';
import { markup } from './markup.ts';
import type { Content, Markup } from './markup.ts';
import { nameMarkup } from './name-markup.ts';
import { formatFixed, formatMetric } from './number-format.ts';

/** Models × groups; nothing unless there are several groups. */
export function overviewTable(groups: readonly RunGroup[]): Content {
  if (groups.length < 2) return false;
  const { common, titles } = shortNames(groups.map(({ name }) => name));
  const looks = new Map(groups.flatMap(({ variants }) => variants.map(({ name, look }) => [name, look])));
  const names = [...looks].sort(([, a], [, b]) => a - b).map(([name]) => name);
  const rows = names.map((name) => {
    const cells = groups.map((group) => modelCell(group, name));
    return markup`<tr><th scope="row" class="model">${nameMarkup(name)}</th>${cells}</tr>\n`;
  });
  return markup`<p class="caption">Hits@1 %${common && ` in ${common}`}: ours, below it the paper’s, by how many σ we differ, and how much of the ceiling is reached. The ceilings are of the datasets of the most runs.</p>
<div class="scroll"><table class="results overview">
<thead><tr><th scope="col">Model</th>${titles.map((lines) => markup`<th scope="col" class="number">${lines.map((line) => markup`<div>${line}</div>`)}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
<tbody><tr class="ceiling"><th scope="row">Ceiling</th>${groups.map(ceilingCell)}</tr></tbody>
</table></div>\n`;
}

function modelCell(group: RunGroup, name: string): Markup {
  const variant = group.variants.find((each) => each.name === name);
  if (!variant || variant.counted.length === 0) return markup`<td class="number"></td>`;
  const { paper, counted, isUnderWay } = variant;
  const summary = summarizeRuns(counted.map(({ epochs }) => epochs));
  const { hits1 } = summary;
  const ours = formatMetric('hits1', hits1.mean);
  if (isUnderWay) return markup`<td class="number unfinished">${ours}</td>`;
  const share = shareOfCeiling(group, variant, summary, 'raw');
  const reached =
    share && markup`<span class="note">${formatFixed(100 * share.hits1, 0)}\u00a0% of the ceiling</span>`;
  if (!paper) return markup`<td class="number">${ours}${reached}</td>`;
  const compared = differenceFromPaper('hits1', hits1, paper, counted.length);
  const kind = compared.level === 0 ? '' : compared.isBetter ? 'better' : 'worse';
  return markup`<td class="number ${kind}">${ours}<span class="note">${formatMetric('hits1', paper.hits1[0])} ${differenceMark(compared)} ${formatFixed(compared.deviations, 1)}\u00a0σ</span>${reached}</td>`;
}

/** Of the set of seeds that most models were trained on. */
function ceilingCell(group: RunGroup): Markup {
  const votes = new Map<string, { seeds: number[]; count: number }>();
  for (const variant of group.variants) {
    const seeds = seedsOf(variant);
    const known = votes.get(seeds.join()) ?? { seeds, count: 0 };
    votes.set(seeds.join(), { seeds, count: known.count + variant.counted.length });
  }
  const [most] = [...votes.values()].sort((a, b) => b.count - a.count);
  const ceiling = meanCeiling(group, most.seeds, 'raw');
  return markup`<td class="number">${ceiling && formatMetric('hits1', ceiling.hits1)}</td>`;
}

/** Names without the parts that all of them have: `SINE-SZ32-STD0.2` and `LINE-SZ32-STD0.2` are SINE and LINE in SZ32-STD0.2. */
function shortNames(names: readonly string[]): {
  readonly common: string;
  readonly titles: readonly (readonly string[])[];
} {
  const parts = names.map((name) => name.split('-'));
  const isCommon = (part: string): boolean => parts.every((each) => each.includes(part));
  return {
    common: parts[0].filter(isCommon).join('-'),
    titles: parts.map((each) => each.filter((part) => !isCommon(part))),
  };
}
