/** Models × groups in Markdown, and how many runs there are. */
import { inMarkdown, signed } from './markdown.ts';
import { deviationsOf } from './paper-runs.ts';
import type { PaperRun } from './paper-runs.ts';

const dynamics = ['SINE', 'LOCATION', 'HISTORY', 'LINE'];
const sigmas = ['0.2', '0.5'];

/** In the order of the rows: by how attention acts on messages, then by network. */
export const models = [
  'RW-Stationary',
  'RW-Dynamic',
  ...['-NoAct', '-MulMlp', '-Mul', ''].flatMap((acting) =>
    ['GGNN', 'GAT', 'FullGN'].map((network) => `${network}${acting}`),
  ),
];

/** `68 runs of all 14 of them on 8 groups` */
export function countsOf(runs: readonly PaperRun[]): string {
  const tried = new Set(runs.map(({ model }) => model)).size;
  const groups = new Set(runs.map((run) => `${run.dynamics} ${run.sigma}`)).size;
  const which = tried === models.length ? `all ${tried}` : tried;
  return `${runs.length} runs of ${which} of them on ${groups} groups`;
}

/** A table for each σ, with a row for whatever has a run there. */
export function tablesOf(all: readonly PaperRun[]): string {
  return sigmas.map((sigma) => tableOf(sigma, all)).join('\n\n');
}

/** The runs of each cell that has one, table by table and column by column. */
export function cellsOf(all: readonly PaperRun[]): PaperRun[][] {
  const columns = sigmas.flatMap((sigma) =>
    dynamics.map((each) => all.filter((run) => run.sigma === sigma && run.dynamics === each)),
  );
  return columns.flatMap((runs) => rowsOf(runs).map((row) => runs.filter((run) => run.row === row)));
}

function tableOf(sigma: string, all: readonly PaperRun[]): string {
  const runs = all.filter((run) => run.sigma === sigma);
  const rows = rowsOf(runs).map((row) => {
    const own = runs.filter((run) => run.row === row);
    return [row, ...dynamics.map((each) => cellOf(own.filter((run) => run.dynamics === each)))];
  });
  return inMarkdown([`σ = ${sigma}`, ...dynamics], rows);
}

/** What the rows are called that have a run. */
const rowsOf = (runs: readonly PaperRun[]): string[] =>
  models.flatMap((model) =>
    [...new Set(runs.filter((run) => run.model === model).map(({ row }) => row))].sort(),
  );

/** Hits@1 of ours · of the paper · how many of the paper's deviations lie between · the ceiling. */
function cellOf(runs: readonly PaperRun[]): string {
  if (runs.length === 0) return '–';
  const paper = runs[0].paper.hits1;
  const ours = meanOf(runs.map((run) => run.ours.hits1.mean));
  // As in a report: each dataset counts once, however many runs it has.
  const ceilings = new Map(runs.map(({ seed, ceiling }) => [seed, ceiling.hits1]));
  return [
    ours.toFixed(1) + (runs.length > 1 ? ` ×${runs.length}` : ''),
    `${paper[0].toFixed(1)} ± ${paper[1].toFixed(1)}`,
    signed(deviationsOf(ours, paper)),
    meanOf([...ceilings.values()]).toFixed(1),
  ].join(' · ');
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
