import type { Dataset } from '@flowgrad/data';
import { readDataFolder } from '@flowgrad/data/node';
import { cardOf, expectFeatures } from '@flowgrad/evaluation';
import type { DatasetCard, RunConfig } from '@flowgrad/evaluation';
import { isRunDone } from '@flowgrad/evaluation/node';
import type { Naming } from '@flowgrad/schema';
import { defineCommand, exitCodes } from '../command.ts';
import type { Context } from '../command.ts';
import { gridFlags, readGrid } from '../experiment/read-grid.ts';
import { progressView } from '../experiment/progress-view.ts';
import type { PlannedRun } from '../experiment/supervise.ts';
import { trainGrid } from '../experiment/train-grid.ts';
import { integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { fromFlags } from '../flags/from-flags.ts';
import { parseWords } from '../flags/lists.ts';
import { deviceFlags, threadsFlag, verboseFlag } from '../flags/run-flags.ts';
import { runPath } from '../runs/run-path.ts';
import { runTitle } from '../runs/train-with-progress.ts';
import { troubleTold } from '../sweep/open-store.ts';
import { UsageError } from '../usage-error.ts';

const flags = {
  ...gridFlags,
  data: valueFlag({ value: '<folder,…>', about: 'dataset folders, in place of --groups' }, parseWords),
  out: textFlag({ value: '<folder>', about: 'where the run folders go', initial: 'runs' }),
  jobs: integerFlag({ about: 'runs at the same time (default one per core)', least: 1, most: 1024 }),
  ...deviceFlags,
  threads: threadsFlag(
    'threads of each run (default 1; the cores divided among them when fewer runs are left)',
  ),
  json: switchFlag('events as lines of JSON'),
  ...verboseFlag,
};

type ExperimentContext = Context<typeof flags>;

export const experiment = defineCommand({
  name: 'experiment',
  summary: 'Trains a grid of runs on all cores; skips what is done, resumes what is half done.',
  usage: 'experiment <config.json|.js|.ts>   or   experiment --groups … --models … [flags]',
  takes: [0, 1],
  examples: [
    {
      line: 'experiment --groups SINE-SZ16-STP8-NDRP-STD0.2 --models GGNN-MulMlp,RW-Stationary --seeds 1..5 --epochs 10',
      about: 'ten runs; the same line goes on after an interruption',
    },
    { line: 'experiment experiments/paper.json --out runs/paper', about: 'a grid from a file' },
    {
      line: 'experiment grid.ts --jobs 1 --threads 8 --device wasm',
      about: 'one run at a time, with eight threads',
    },
  ],
  flags,
  ownModels: 'beside names',
  stopsInOrder: true,
  run: async (context) => {
    const { flags, stdout, stderr, env, signal } = context;
    const { configs, folderOf } = await readRuns(context);
    const runs = configs.map((config): PlannedRun => ({ config, folder: runPath(flags.out, config) }));
    const { waiting, finished } = await withoutFinished(runs);
    context.enter?.('working');
    const view = progressView(context, { json: flags.json, total: runs.length, finished: finished.length });
    const outcome = await trainGrid(flags.out, {
      ...{ waiting, finished, env, signal },
      ...{ device: flags.device, jobs: flags.jobs, threads: flags.threads },
      dataOf: ({ group }) => folderOf.get(JSON.stringify(group)),
      onEvent: view.show,
      onTrouble: troubleTold(stderr),
    });
    view.end();
    const { done, failed, left, unable } = outcome;
    if (flags.json) {
      const folders = (of: readonly PlannedRun[]): string[] => of.map(({ folder }) => folder);
      const counts = { skipped: folders(finished), done: folders(done), left: folders(left) };
      const failures = failed.map(({ run, reason }) => ({ folder: run.folder, reason }));
      stdout.write(`${JSON.stringify({ kind: 'end', ...counts, failed: failures })}\n`);
    } else {
      stdout.write(`${finished.length + done.length} of ${runs.length} runs are done, in ${flags.out}\n`);
      for (const { run, reason } of failed) stderr.write(`failed: ${runTitle(run.config)}: ${reason}\n`);
    }
    if (unable !== undefined) throw new Error(unable);
    if (signal.aborted && left.length > 0) {
      if (!flags.json) stderr.write(`Stopped with ${left.length} left. The same command goes on.\n`);
      return exitCodes.interrupted;
    }
    return failed.length > 0 ? exitCodes.failure : exitCodes.ok;
  },
});

/** The runs, and the folder of each dataset by its card, as text. Datasets themselves are read again by those who train on them. */
async function readRuns({ args: [file], flags }: ExperimentContext): Promise<{
  readonly configs: readonly RunConfig[];
  readonly folderOf: ReadonlyMap<string, string>;
}> {
  if (flags.data && flags.groups) throw new UsageError('experiment: expected --groups or --data, got both');
  const datasets = new Map<string, Dataset>();
  const folderOf = new Map<string, string>();
  for (const folder of flags.data ?? []) {
    const dataset = await readDataFolder(folder);
    const card = JSON.stringify(cardOf(dataset));
    datasets.set(card, dataset);
    folderOf.set(card, folder);
  }
  const cards = flags.data && [...folderOf.keys()].map((card) => JSON.parse(card) as DatasetCard);
  const configs = await readGrid('experiment', file, flags, cards);
  const check = (nameOf?: Naming): void => {
    for (const config of configs) {
      const dataset = datasets.get(JSON.stringify(config.group));
      if (dataset) expectFeatures(config, dataset, nameOf);
    }
  };
  if (file === undefined) fromFlags('experiment', check, { isGrid: true });
  else check();
  return { configs, folderOf };
}

async function withoutFinished(
  runs: readonly PlannedRun[],
): Promise<{ readonly waiting: PlannedRun[]; readonly finished: PlannedRun[] }> {
  const waiting: PlannedRun[] = [];
  const finished: PlannedRun[] = [];
  for (const run of runs) ((await isRunDone(run.folder)) ? finished : waiting).push(run);
  return { waiting, finished };
}
