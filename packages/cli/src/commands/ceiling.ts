import { metricNames } from '@flowgrad/evaluation';
import { ceilingMetrics, generateDataset } from '@flowgrad/gridworld';
import { defineCommand } from '../command.ts';
import { switchFlag } from '../flags/flag.ts';
import { parseGroup } from '../flags/group.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { seedsFlag, seedsText } from '../flags/seeds.ts';
import { meanRow } from '../runs/means.ts';
import { metricCells, metricText, metricTitles } from '../runs/metrics-text.ts';
import { paperBest } from '../runs/paper-results.ts';
import { createProgress } from '../terminal/progress.ts';
import { textTable } from '@flowgrad/files';

export const ceiling = defineCommand({
  name: 'ceiling',
  summary: 'The best scores that any model can reach, exactly, beside the best of the paper.',
  usage: 'ceiling <group…> [flags]',
  takes: [1, Infinity],
  examples: [
    { line: 'ceiling SINE-SZ32-STP16-NDRP-STD0.2', about: 'means over five datasets' },
    {
      line: 'ceiling LINE-SZ16-STP8-NDRP-STD0.2 HISTORY-SZ16-STP8-NDRP-STD0.2 --seeds 1..20 --json',
      about: 'for a script',
    },
  ],
  flags: { seeds: seedsFlag('1..5'), json: switchFlag('the numbers as JSON'), ...verboseFlag },
  run: async ({ args, flags: { seeds, json }, stdout, stderr }) => {
    const groups = args.map(parseGroup);
    const progress = createProgress(stderr, {
      label: 'ceiling',
      total: groups.length * seeds.length,
      unit: 'datasets',
    });
    let done = 0;
    const found = groups.map((group) => {
      const each = seeds.map((seed) => {
        const metrics = ceilingMetrics(generateDataset(group, { seed }));
        progress.update(++done);
        return metrics;
      });
      const raw = meanRow(each.map((one) => one.raw));
      const filtered = meanRow(each.map((one) => one.filtered));
      return { group, raw, filtered, paperBest: paperBest(group) };
    });
    progress.end();
    if (json) {
      stdout.write(`${JSON.stringify({ seeds, groups: found })}\n`);
      return;
    }
    const rows = found.flatMap(({ group, raw, filtered, paperBest: best }) => [
      [group, 'raw', ...metricCells(raw)],
      ['', 'filtered', ...metricCells(filtered)],
      ...(best
        ? [['', "paper's best", ...metricNames.map((metric) => metricText(metric, best[metric]))]]
        : []),
    ]);
    stdout.write(
      `Exact ceilings on the test split, means over ${seedsText(seeds)}; the paper's tables are raw\n\n`,
    );
    stdout.write(`${textTable(['group', '', ...metricTitles], rows, { left: 2 })}\n`);
  },
});
