/** Models × groups in Markdown, and how many runs there are. */
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

function tableOf(sigma: string, all: readonly PaperRun[]): string {
  const runs = all.filter((run) => run.sigma === sigma);
  const rowsOf = (model: string): string[] =>
    [...new Set(runs.filter((run) => run.model === model).map(({ row }) => row))].sort();
  const rows = models.flatMap(rowsOf).map((row) => {
    const own = runs.filter((run) => run.row === row);
    return [row, ...dynamics.map((each) => cellOf(own.filter((run) => run.dynamics === each)))];
  });
  const lines = [[`σ = ${sigma}`, ...dynamics], ['-', ...dynamics.map(() => '-')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Hits@1 of ours · of the paper · how many of the paper's deviations lie between · the ceiling. */
function cellOf(runs: readonly PaperRun[]): string {
  if (runs.length === 0) return '–';
  const [mean, deviation] = runs[0].paper.hits1;
  const ours = meanOf(runs.map((run) => run.ours.hits1.mean));
  // As in a report: each dataset counts once, however many runs it has.
  const ceilings = new Map(runs.map(({ seed, ceiling }) => [seed, ceiling]));
  return [
    ours.toFixed(1) + (runs.length > 1 ? ` ×${runs.length}` : ''),
    `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`,
    signed((ours - mean) / deviation),
    meanOf([...ceilings.values()]).toFixed(1),
  ].join(' · ');
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
