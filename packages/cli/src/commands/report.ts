import { readDataFolder } from '@flowgrad/data/node';
import { expectDataset, isCard, worldName } from '@flowgrad/evaluation';
import { readConfig, readRuns, writeReport } from '@flowgrad/evaluation/node';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { switchFlag, textFlag } from '../flags/flag.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { metricCells, metricTitles, summaryCells } from '../runs/metrics-text.ts';
import { ownModelsFlag } from '../runs/own-models.ts';
import { paperCells } from '../runs/paper-results.ts';
import { groupRuns } from '../runs/run-groups.ts';
import type { RunGroup } from '../runs/run-groups.ts';
import { isStore, withFetchedRuns } from '../sweep/fetch.ts';
import { storeAddress } from '../sweep/open-store.ts';
import { UsageError } from '../usage-error.ts';
import { textTable } from '@flowgrad/files';

const flags = {
  out: textFlag({ value: '<file.html>', about: 'write a page too' }),
  data: textFlag({ value: '<folder>', about: 'a dataset folder: runs on anything else are refused' }),
  'best-shuffling': switchFlag('of runs that differ in shuffling alone, the one best on validation (MRR)'),
  ...ownModelsFlag,
  json: switchFlag('the numbers as JSON'),
  ...verboseFlag,
};

export const report = defineCommand({
  name: 'report',
  summary: 'Sums up the runs of a folder or store, beside the ceiling and the paper; as a page with --out.',
  usage: 'report <folder of runs | store> [flags]',
  ownModels: 'alone',
  takes: [1, 1],
  examples: [
    { line: 'report runs', about: 'a table' },
    { line: 'report runs/paper --out report.html', about: 'and a page with curves and pictures' },
    { line: 'report postgres://reader@db.example/sweeps', about: 'the finished runs of a store of sweeps' },
  ],
  flags,
  run: async (context) => {
    const [place] = context.args;
    if (!(await isStore(place))) return reportOn(context, place);
    const address = await storeAddress(place, context.env);
    return withFetchedRuns(
      address,
      () => true,
      (folder) => reportOn(context, folder),
    );
  },
});

async function reportOn(
  { flags: { out, json, data, 'best-shuffling': onlyBestShufflings }, stdout, stderr }: Context<typeof flags>,
  folder: string,
): Promise<void> {
  if (data !== undefined) await expectRunsOn(folder, data);
  const { groups, unfinished, leftOut } = await groupRuns(folder, { onlyBestShufflings });
  if (groups.length === 0) {
    throw new Error(
      `report: expected finished runs below ${folder}, got ${unfinished.length} unfinished ones ` +
        `(a run is a folder with a config.json${leftOut.map(({ reason }) => `; ${reason}`).join('')})`,
    );
  }
  if (json) {
    stdout.write(`${JSON.stringify({ groups, unfinished, leftOut })}\n`);
  } else {
    stdout.write('Test split, mean ± deviation over runs × the three epochs best on validation\n\n');
    stdout.write(`${table(groups)}\n`);
    for (const { folder, reason } of leftOut) stderr.write(`Left out: ${folder} (${reason})\n`);
    if (unfinished.length > 0) stderr.write(`Left out, as not done: ${unfinished.join(', ')}\n`);
  }
  if (out === undefined) return;
  await writeReport(folder, out, { onlyBestShufflings });
  if (!json) stdout.write(`\nThe page is ${out}\n`);
}

async function expectRunsOn(root: string, data: string): Promise<void> {
  const dataset = await readDataFolder(data);
  await readRuns(root, async (folder) => {
    const config = await readConfig(folder);
    if (!config) return;
    if (isCard(config.group)) expectDataset(`report: ${folder}`, config.group, dataset);
    else
      throw new UsageError(`report: expected runs on ${dataset.name}, got ${folder} on ${worldName(config)}`);
  });
}

function table(groups: readonly RunGroup[]): string {
  const rows = groups.flatMap(({ world, variant, runs, raw, filtered, ceiling, paper }, i) => [
    [world === groups[i - 1]?.world ? '' : world, variant, String(runs.length), ...summaryCells(raw)],
    ['', '  filtered', '', ...summaryCells(filtered)],
    ...(ceiling ? [['', '  ceiling', '', ...metricCells(ceiling.raw)]] : []),
    ...(paper ? [['', "  the paper's", '', ...paperCells(paper)]] : []),
  ]);
  return textTable(['world', 'model', 'runs', ...metricTitles], rows, { left: 2 });
}
