import { metricNames, PAPER_RESULTS } from '@flowgrad/evaluation';
import type { MetricName } from '@flowgrad/evaluation';
import { beforeAll, expect, it } from 'vitest';
import { explainedCells, farCells, farTableOf } from './far-cells.ts';
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

it('every cell with a metric more than three of the paper’s deviations away has its bullet, and no other', () => {
  const far = [...farCells(runs).keys()];
  expect(explainedCells(readme).sort(), 'to be explained in results/README.md').toEqual(far.sort());
});

it('a cell is far by any metric of any seed, by more than three deviations', () => {
  const at = (metric: MetricName, value: number, change: Partial<PaperRun> = {}): PaperRun => {
    const run = runs.find(
      ({ row, dynamics, sigma }) => row === 'GGNN' && dynamics === 'SINE' && sigma === '0.2',
    )!;
    const ours = { ...run.ours };
    for (const each of metricNames) {
      const [mean, deviation] = run.paper[each];
      ours[each] = { ...ours[each], mean: mean + (each === metric ? value * deviation : 0) };
    }
    return { ...run, ours, ...change };
  };
  const names = (...given: PaperRun[]): string[] => [...farCells(given).keys()];
  expect(names(at('mrr', 3.1))).toEqual(['GGNN on SINE']);
  expect(names(at('mr', -3.1, { sigma: '0.5' }))).toEqual(['GGNN on SINE at 0.5']);
  expect(names(at('mrr', 2.9))).toEqual([]);
  expect(farCells([at('mr', 0), at('mr', -4, { seed: 2 })]).get('GGNN on SINE')).toHaveLength(2);
});

it('the table of far cells has a row for each of their runs, with what is far in bold', () => {
  const run = runs.find(({ row, dynamics }) => row === 'GGNN' && dynamics === 'SINE')!;
  expect(farTableOf([run]).split('\n')).toEqual([
    '| Model and group | Seed | Hits@1 % | Hits@5 % | Hits@10 % | MR | MRR |',
    '| - | - | - | - | - | - | - |',
    '| GGNN on SINE | 1 | 59.2 · **+3.9** · 65.5 | 88.7 · +0.5 · 99.3 | 96.0 · +0.9 · 100.0 | 4.7 · −0.4 · 1.5 | .721 · +2.9 · .812 |',
  ]);
});

it('only the bullets of the section explain, each what it names in bold', () => {
  const section = "## More than three of the paper's standard deviations away\n\n";
  const bullets =
    '- **GGNN on SINE** and **RW-Dynamic, mean on\n  LINE at 0.5**: one seed.\n\n**GAT on SINE**\n';
  expect(
    explainedCells(`- **GGNN on LINE**\n\n${section}${bullets}\n## Next\n\n- **GAT on LINE**\n`),
  ).toEqual(['GGNN on SINE', 'RW-Dynamic, mean on LINE at 0.5']);
});

it('a README without the comments around what is written is refused', async () => {
  await expect(withRuns('<!-- counts --><!-- /counts -->', runs)).rejects.toThrow(
    'results: expected <!-- tables --> … <!-- /tables --> in README.md, got none',
  );
});
