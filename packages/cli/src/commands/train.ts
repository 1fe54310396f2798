import type { Dataset } from '@flowgrad/data';
import { readDataFolder } from '@flowgrad/data/node';
import {
  cardOf,
  expectDataset,
  expectFeatures,
  isCard,
  nearlyBest,
  rankingOf,
  resolveRun,
} from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { readConfig, readEpochs } from '@flowgrad/evaluation/node';
import { defineCommand, exitCodes } from '../command.ts';
import type { Context } from '../command.ts';
import { integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { parseGroupOrFile } from '../flags/group.ts';
import { settingFlags, settingsOf } from '../flags/field-flag.ts';
import { fromFlags } from '../flags/from-flags.ts';
import { deviceFlags, parseModel, parseSettings, verboseFlag } from '../flags/run-flags.ts';
import { inputsLine } from '../runs/feature-columns.ts';
import { ownModelsFlag } from '../runs/own-models.ts';
import { paperResult } from '../runs/paper-results.ts';
import { runPath } from '../runs/run-path.ts';
import { expectSameSettings } from '../runs/same-settings.ts';
import { scoreTable } from '../runs/score-table.ts';
import { trainWithProgress } from '../runs/train-with-progress.ts';
import { quoted } from '../terminal/quoted.ts';
import { UsageError } from '../usage-error.ts';

const flags = {
  group: valueFlag(
    { value: '<group>', about: 'a dataset group, SINE-SZ32-STP16-NDRP-STD0.2, or a JSON file of a world' },
    parseGroupOrFile,
  ),
  data: textFlag({ value: '<folder>', about: 'a dataset folder, in place of --group; see flowgrad import' }),
  ...ownModelsFlag,
  model: valueFlag({ value: '<model>', about: 'a model, such as GGNN-MulMlp' }, parseModel),
  ...settingFlags,
  settings: valueFlag(
    { value: '<json>', about: 'all of the above as JSON, with the names of RunSettings' },
    parseSettings,
  ),
  ...deviceFlags,
  out: textFlag({
    value: '<folder>',
    about: 'the run folder (default runs/<world>/<variant>/seed<n>-shuffling<n>)',
  }),
  resume: switchFlag('go on with the run in the folder, if there is one'),
  'from-epoch': integerFlag({
    about: 'with --resume: go on after this epoch and drop what came later; 0 begins anew',
    least: 0,
  }),
  json: switchFlag('events as lines of JSON'),
  ...verboseFlag,
};

type TrainContext = Context<typeof flags>;

export const train = defineCommand({
  name: 'train',
  summary: 'Trains a model; can be interrupted, killed and resumed.',
  usage: 'train --group <group> | --data <folder> --model <model> [flags]   or   train --resume <folder>',
  takes: [0, 1],
  examples: [
    {
      line: 'train --group SINE-SZ16-STP8-NDRP-STD0.2 --model GGNN-MulMlp --epochs 10',
      about: 'a small world',
    },
    {
      line: 'train --group SINE-SZ32-STP16-NDRP-STD0.2 --model RW-Stationary --features 8 --seed 2',
      about: 'with Fourier features of the coordinates, on the second dataset',
    },
    { line: 'train --data data/umls --model RW-Stationary', about: 'on a dataset of one’s own' },
    {
      line: 'train --resume runs/SINE-SZ32-STP16-NDRP-STD0.2/GGNN-MulMlp/seed1-shuffling1',
      about: 'after an interruption',
    },
  ],
  flags,
  ownModels: 'alone',
  stopsInOrder: true,
  run: async (context) => {
    const { flags } = context;
    const { json, resume, device, threads } = flags;
    const fromEpoch = flags['from-epoch'];
    if (fromEpoch !== undefined && !resume) {
      throw new UsageError('train: expected --from-epoch with --resume, got it alone');
    }
    const dataset = flags.data === undefined ? undefined : await readDataFolder(flags.data);
    const named = context.args.at(0) ?? flags.out;
    const begun = resume && named !== undefined ? await readConfig(named) : undefined;
    const settings = runOf(context, dataset, begun !== undefined);
    const folder = folderOf(context, settings);
    const there = begun ?? (resume ? await readConfig(folder) : undefined);
    const config = settings ?? there;
    if (!config) {
      throw new UsageError(`train: expected a run in ${folder}, got none (--group and --model begin one)`);
    }
    // What is given as a whole is compared by the run itself.
    if (there && !flags.settings) expectSameSettings(folder, there, settings ?? givenOf(context));
    if (dataset) await tellInputs(context, dataset, config);
    const trained = await trainWithProgress(context, {
      folder,
      ...(settings && { settings }),
      dataset,
      resume,
      fromEpoch,
      device,
      threads,
      json,
    });
    if (!trained?.result) {
      if (!json) context.stderr.write(await stoppedText(folder));
      return exitCodes.interrupted;
    }
    const { result } = trained;
    if (json) context.stdout.write(`${JSON.stringify({ kind: 'done', result, folder })}\n`);
    else {
      context.stdout.write(`${scoreTable([{ config: trained.config, result }])}\n\n`);
      if (!isCard(trained.config.group) && !paperResult(trained.config)) {
        context.stdout.write('The paper has no results of this model on this world.\n');
      }
      const near = nearlyBest(await readEpochs(folder), rankingOf(trained.config));
      if (near) {
        const { epoch, seconds } = near;
        context.stdout.write(
          `It had 95 % of its best MRR on validation after ${seconds.toFixed(1)} s, in epoch ${epoch}.\n`,
        );
      }
      context.stdout.write(`The run is in ${folder}\n`);
    }
    return exitCodes.ok;
  },
});

/** Says which columns of a dataset the model reads. That there are none where it needs some is wrong usage. */
async function tellInputs(
  { flags: { data, json }, stderr }: TrainContext,
  dataset: Dataset,
  settings: RunSettings,
): Promise<void> {
  const config = resolveRun(settings);
  if (isCard(config.group)) expectDataset('train', config.group, dataset);
  fromFlags('train', (nameOf) => expectFeatures(config, dataset, nameOf));
  const line = json ? undefined : await inputsLine(data!, dataset, config);
  if (line !== undefined) stderr.write(`${line}\n`);
}

/** A run that was stopped early enough is not there to go on with. */
const stoppedText = async (folder: string): Promise<string> =>
  (await readConfig(folder))
    ? `Stopped. To go on: flowgrad train --resume ${quoted(folder)}\n`
    : 'Stopped before anything was written. The same command begins anew.\n';

/** The settings that flags say, be they all or a few. */
const givenOf = ({ flags: { group, model, ...flags } }: TrainContext): Partial<RunSettings> => ({
  ...(group !== undefined && { group }),
  ...(model !== undefined && { model }),
  ...settingsOf(flags),
});

/** Undefined if the run is there, and says itself what it is. */
function runOf(
  context: TrainContext,
  dataset: Dataset | undefined,
  isThere: boolean,
): RunSettings | undefined {
  const { flags } = context;
  const { model } = flags;
  if (dataset && flags.group !== undefined) {
    throw new UsageError('train: expected --group or --data, got both');
  }
  // A run that goes on, or is given as a whole, says itself what it is on.
  const isNew = !flags.settings && model !== undefined;
  const group = flags.group ?? (dataset && isNew ? cardOf(dataset) : undefined);
  const given = settingsOf(flags);
  if (flags.settings) {
    if (group === undefined && model === undefined && Object.keys(given).length === 0) return flags.settings;
    throw new UsageError('train: expected --settings or the flags it stands for, got both');
  }
  if (group !== undefined && model !== undefined) {
    return fromFlags('train', (nameOf) => resolveRun({ group, model, ...given }, nameOf));
  }
  const isNothing = Object.keys(givenOf(context)).length === 0;
  if (flags.resume && (isThere || isNothing)) return undefined;
  const missing = [...(group === undefined ? ['--group'] : []), ...(model === undefined ? ['--model'] : [])];
  const hint = group === undefined ? ' (or --data for --group)' : '';
  throw new UsageError(`train: expected --group and --model, got no ${missing.join(' and no ')}${hint}`);
}

function folderOf({ args: [named], flags: { out, resume } }: TrainContext, settings?: RunSettings): string {
  if (named !== undefined && !resume) {
    throw new UsageError(`train: expected a folder behind --resume or --out, got '${named}' alone`);
  }
  if (named !== undefined && out !== undefined && named !== out) {
    throw new UsageError(`train: expected one folder, got ${named} and ${out}`);
  }
  const folder = named ?? out;
  if (folder !== undefined) return folder;
  if (settings) return runPath('runs', resolveRun(settings));
  throw new UsageError('train: expected a run folder after --resume, got none');
}
