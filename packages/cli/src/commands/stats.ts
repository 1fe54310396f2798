import { readDataFolder } from '@flowgrad/data/node';
import { DATASET_GROUPS, datasetStatistics, generateDataset, PAPER_STATISTICS } from '@flowgrad/gridworld';
import type { DatasetStatistics } from '@flowgrad/gridworld';
import { defineCommand } from '../command.ts';
import { switchFlag, textFlag } from '../flags/flag.ts';
import { parseGroup } from '../flags/group.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { seedsFlag, seedsText } from '../flags/seeds.ts';
import { dataStatistics, dataStatisticsText } from '../runs/data-statistics.ts';
import { UsageError } from '../usage-error.ts';
import { meanRow } from '../runs/means.ts';
import { createProgress } from '../terminal/progress.ts';
import { textTable } from '@flowgrad/files';

const columns = ['nodes', 'edges', 'trajectories', 'trajectoriesPerNode', 'trajectoryLength'] as const;
const titles = ['nodes', 'edges', 'trajectories', 'per node', 'length'];
const digits = { nodes: 1, edges: 1, trajectories: 1, trajectoriesPerNode: 2, trajectoryLength: 2 };

export const stats = defineCommand({
  name: 'stats',
  summary: "Statistics of datasets, means over seeds, beside the paper's table.",
  usage: 'stats [groups…] [flags]',
  takes: [0, Infinity],
  examples: [
    { line: 'stats', about: "the paper's 24 groups, 20 seeds each" },
    { line: 'stats --data data/umls', about: 'what is in a dataset folder' },
    {
      line: 'stats SINE-SZ32-STP16-NDRP-STD0.2 LINE-SZ16-STP8-EDRP-STD0.3 --seeds 1..5 --json',
      about: 'some, for a script',
    },
  ],
  flags: {
    seeds: seedsFlag('1..20'),
    data: textFlag({ value: '<folder>', about: 'of a dataset folder, instead' }),
    json: switchFlag('the numbers as JSON'),
    ...verboseFlag,
  },
  run: async ({ args, flags: { seeds, data, json }, stdout, stderr }) => {
    if (data !== undefined) {
      if (args.length > 0) throw new UsageError('stats: expected groups or --data, got both');
      const found = dataStatistics(await readDataFolder(data));
      stdout.write(`${json ? JSON.stringify(found) : dataStatisticsText(found)}\n`);
      return;
    }
    const groups = args.length === 0 ? DATASET_GROUPS : args.map(parseGroup);
    const progress = createProgress(stderr, {
      label: 'stats',
      total: groups.length * seeds.length,
      unit: 'datasets',
    });
    let done = 0;
    const rows = groups.map((group) => {
      const each = seeds.map((seed) => {
        progress.update(++done);
        return datasetStatistics(generateDataset(group, { seed }));
      });
      return { group, mean: meanRow(each), paper: PAPER_STATISTICS.get(group) };
    });
    progress.end();
    if (json) {
      stdout.write(`${JSON.stringify({ seeds, groups: rows })}\n`);
      return;
    }
    const cells = ({
      mean,
      paper,
    }: {
      mean: DatasetStatistics;
      paper?: DatasetStatistics | undefined;
    }): string[] =>
      columns.map((column) => `${mean[column].toFixed(digits[column])} | ${paper?.[column] ?? '–'}`);
    stdout.write(`Means over ${seedsText(seeds)} | the paper's\n\n`);
    stdout.write(
      `${textTable(
        ['group', ...titles],
        rows.map((row) => [row.group, ...cells(row)]),
      )}\n`,
    );
  },
});
