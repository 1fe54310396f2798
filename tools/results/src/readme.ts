/** What results/README.md has from the runs, between comments that a reader of the page does not see. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { farTableOf } from './far-cells.ts';
import type { PaperRun } from './paper-runs.ts';
import { countsOf, tablesOf } from './tables.ts';

export const resultsFolder = fileURLToPath(new URL('../../../results/', import.meta.url));
export const readmePath = `${resultsFolder}README.md`;
export const readReadme = (): Promise<string> => readFile(readmePath, 'utf8');

/** The README with the counts and tables of these runs in place of those that it has. */
export async function withRuns(readme: string, runs: readonly PaperRun[]): Promise<string> {
  const counted = between(readme, 'counts', countsOf(runs));
  const withTables = between(counted, 'tables', await aligned(tablesOf(runs)));
  return between(withTables, 'far', await aligned(farTableOf(runs)));
}

/** Prettier aligns the columns, as it does when it checks the whole file. */
const aligned = async (tables: string): Promise<string> =>
  `\n\n${await format(tables, { parser: 'markdown' })}\n`;

function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`results: expected ${start} … ${end} in README.md, got none`);
  return text.slice(0, from + start.length) + content + text.slice(to);
}
