import { PAPER_RESULTS } from '@flowgrad/evaluation';
import { beforeAll, expect, it } from 'vitest';
import { unexplained } from './far-metrics.ts';
import { readPaperRuns } from './paper-runs.ts';
import type { PaperRun } from './paper-runs.ts';
import { readReadme, resultsFolder, withRuns } from './readme.ts';
import { models } from './tables.ts';

let readme: string;
let runs: PaperRun[];
beforeAll(async () => {
  readme = await readReadme();
  runs = await readPaperRuns(resultsFolder);
});

it('the tables have a row for every model of the paper', () => {
  const inPaper = PAPER_RESULTS.get('SINE-SZ32-STP16-NDRP-STD0.2')?.keys() ?? [];
  expect(models.toSorted()).toEqual([...inPaper].sort());
});

it('the tables and counts of results/README.md are those of the runs', async () => {
  expect(readme, 'run npm run results').toBe(await withRuns(readme, runs));
});

it('every metric that is more than three of the paper’s deviations away has its bullet', () => {
  expect(unexplained(readme, runs), 'to be explained in results/README.md').toEqual([]);
});

it('a bullet about the same model at another σ, about a longer name or with other numbers explains nothing', () => {
  const section = "## More than three of the paper's standard deviations away\n\n";
  const far = runs.filter(({ row, dynamics }) => row === 'GGNN' && dynamics === 'SINE');
  const missing = ['GGNN on SINE, seed 1: hits1 59.2 by 3.9'];
  expect(unexplained(`${section}- **GGNN on SINE** has 59.2,\n  by 3.9 deviations.\n`, far)).toEqual([]);
  expect(unexplained(`${section}- **GGNN on SINE at 0.5** has 59.2, by 3.9.\n`, far)).toEqual(missing);
  expect(unexplained(`${section}- **GGNN-Mul on SINE** has 59.2, by 3.9.\n`, far)).toEqual(missing);
  expect(unexplained(`${section}- **GGNN on SINE** has 59.2, by 3.8.\n`, far)).toEqual(missing);
  expect(unexplained(`${section}- **GGNN on SINE** has 59.1, by 3.9.\n`, far)).toEqual(missing);
  expect(unexplained(`- **GGNN on SINE** has 59.2, by 3.9.\n${section}`, far)).toEqual(missing);
});

it('a README without the comments around what is written is refused', async () => {
  await expect(withRuns('<!-- counts --><!-- /counts -->', runs)).rejects.toThrow(
    'results: expected <!-- tables --> … <!-- /tables --> in README.md, got none',
  );
});
