import { availableParallelism } from 'node:os';
import { TensorError } from '@flowgrad/tensor';
import { openDevice } from '@flowgrad/tensor/node';
import { isRunDone } from '@flowgrad/evaluation/node';
import { defineCommand, exitCodes } from '../command.ts';
import type { Context } from '../command.ts';
import { readConfigFile } from '../experiment/config-file.ts';
import { runsOf } from '../experiment/grid.ts';
import { progressView } from '../experiment/progress-view.ts';
import { startRun } from '../experiment/run-process.ts';
import { supervise } from '../experiment/supervise.ts';
import type { PlannedRun } from '../experiment/supervise.ts';
import { integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { parseGroupOrFile } from '../flags/group.ts';
import { parseSeeds, parseWords } from '../flags/lists.ts';
import { settingFlags, settingsOf } from '../flags/field-flag.ts';
import { deviceFlags, parseModels, verboseFlag } from '../flags/run-flags.ts';
import { runPath } from '../runs/run-path.ts';
import { runTitle } from '../runs/train-with-progress.ts';
import { UsageError } from '../usage-error.ts';

const { seed: _, shuffling: __, ...protocolFlags } = settingFlags;

const flags = {
  groups: valueFlag({ value: '<a,b,…>', about: 'dataset groups, or JSON files of worlds' }, (text) =>
    parseWords(text).map(parseGroupOrFile),
  ),
  models: valueFlag({ value: '<a,b,…>', about: 'models' }, parseModels),
  seeds: valueFlag({ value: '1..5', about: 'seeds of the data (default 1)' }, parseSeeds),
  shufflings: valueFlag({ value: '1..2', about: 'shufflings (default 1)' }, parseSeeds),
  ...protocolFlags,
  out: textFlag({ value: '<folder>', about: 'where the run folders go', initial: 'runs' }),
  jobs: integerFlag({ about: 'runs at the same time (default one per core)', least: 1, most: 1024 }),
  ...deviceFlags,
  threads: integerFlag({
    about: 'threads of each run (default 1; the cores divided among them when fewer runs are left)',
    least: 1,
    most: 256,
  }),
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
  stopsInOrder: true,
  run: async (context) => {
    const { flags, stdout, stderr, env, signal } = context;
    const runs = runsOf(await gridOf(context));
    const { waiting, finished } = await withoutFinished(
      runs.map((config): PlannedRun => ({ config, folder: runPath(flags.out, config) })),
    );
    const device = await deviceOf(flags.device);
    const view = progressView(context, { json: flags.json, total: runs.length, finished: finished.length });
    const outcome = await supervise(waiting, {
      cores: availableParallelism(),
      // Processes would only get in each other's way on one GPU.
      jobs: flags.jobs ?? (device === 'webgpu' ? 1 : undefined),
      threads: flags.threads,
      signal,
      start: (run, threads, onEvent) => startRun({ ...run, device, threads, env, onEvent }),
      onEvent: view.show,
    });
    view.end();
    const { done, failed, left } = outcome;
    if (flags.json) {
      const folders = (of: readonly PlannedRun[]): string[] => of.map(({ folder }) => folder);
      const counts = { skipped: folders(finished), done: folders(done), left: folders(left) };
      const failures = failed.map(({ run, reason }) => ({ folder: run.folder, reason }));
      stdout.write(`${JSON.stringify({ kind: 'end', ...counts, failed: failures })}\n`);
    } else {
      stdout.write(`${finished.length + done.length} of ${runs.length} runs are done, in ${flags.out}\n`);
      for (const { run, reason } of failed) stderr.write(`failed: ${runTitle(run.config)}: ${reason}\n`);
    }
    if (signal.aborted && left.length > 0) {
      if (!flags.json) stderr.write(`Stopped with ${left.length} left. The same command goes on.\n`);
      return exitCodes.interrupted;
    }
    return failed.length > 0 ? exitCodes.failure : exitCodes.ok;
  },
});

async function gridOf({ args: [file], flags }: ExperimentContext): Promise<unknown> {
  const { groups, models, seeds, shufflings } = flags;
  const given = {
    ...(groups && { groups }),
    ...(models && { models }),
    ...(seeds && { seeds }),
    ...(shufflings && { shufflings }),
    ...settingsOf(flags),
  };
  if (file !== undefined) {
    const other = Object.keys(given).at(0);
    if (other === undefined) return readConfigFile(file);
    throw new UsageError(`experiment: expected the grid in ${file} or in flags, got both (${other})`);
  }
  if (groups && models) return { ...given, groups, models };
  throw new UsageError('experiment: expected a configuration file, or --groups and --models, got neither');
}

async function withoutFinished(
  runs: readonly PlannedRun[],
): Promise<{ readonly waiting: PlannedRun[]; readonly finished: PlannedRun[] }> {
  const waiting: PlannedRun[] = [];
  const finished: PlannedRun[] = [];
  for (const run of runs) ((await isRunDone(run.folder)) ? finished : waiting).push(run);
  return { waiting, finished };
}

/** What auto comes to, found out once for all processes. */
async function deviceOf(device: 'auto' | 'webgpu' | 'wasm'): Promise<'webgpu' | 'wasm'> {
  if (device !== 'auto') return device;
  try {
    const opened = await openDevice({ adapter: 'hardware' });
    (opened.device as unknown as { destroy(): void }).destroy();
    return 'webgpu';
  } catch (error) {
    if (error instanceof TensorError && error.code === 'backend') return 'wasm';
    throw error;
  }
}
