import {
  evaluateSplit,
  flowMetrics,
  isCard,
  isPruned,
  resolveRun,
  variantName,
  visitedShare,
  worldName,
} from '@flowgrad/evaluation';
import type { FlowMetrics, RunConfig, Trainer } from '@flowgrad/evaluation';
import { SPLIT_NAMES } from '@flowgrad/data';
import type { RawAndFiltered, SplitName } from '@flowgrad/data';
import { defineCommand } from '../command.ts';
import { dataFlag, datasetFor } from '../flags/data.ts';
import { choiceFlag, fieldFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { parseGroupOrFile } from '../flags/group.ts';
import { parseEpoch } from '../flags/epoch.ts';
import { deviceFlags, verboseFlag } from '../flags/run-flags.ts';
import { metricCells, metricTitles } from '../runs/metrics-text.ts';
import { ownModelsFlag } from '../runs/own-models.ts';
import { openStoredModel, readStoredModel } from '../runs/open-run.ts';
import type { StoredModel, WantedEpoch } from '../runs/open-run.ts';
import { withBackend } from '../runs/with-backend.ts';
import { isStore, withFetchedRuns } from '../sweep/fetch.ts';
import { storeAddress } from '../sweep/open-store.ts';
import { UsageError } from '../usage-error.ts';
import { findRuns } from '@flowgrad/evaluation/node';
import { textTable } from '@flowgrad/files';

export const evaluate = defineCommand({
  name: 'evaluate',
  summary: 'Scores a trained model, from its run folder, its parameters alone, or a store of sweeps.',
  usage: 'evaluate <run folder | parameters.safetensors | store> [flags]',
  ownModels: 'alone',
  takes: [1, 1],
  examples: [
    {
      line: 'evaluate runs/SINE-SZ32-STP16-NDRP-STD0.2/GGNN-MulMlp/seed1-shuffling1',
      about: 'the epoch best on validation by MRR',
    },
    {
      line: 'evaluate snapshots/epoch-0042.safetensors --split valid --json',
      about: 'one file, for a script',
    },
    {
      line: 'evaluate runs/SINE-SZ32-STP16-NDRP-STD0.2/Walker/seed1-shuffling1 --on SINE-SZ64-STP16-NDRP-STD0.2 --seed 2',
      about: 'a world that the model never saw',
    },
  ],
  flags: {
    epoch: valueFlag(
      { value: '<n>|best|last', about: 'which epoch of a run folder (default best: by MRR on validation)' },
      parseEpoch,
    ),
    run: textFlag({
      value: '<id>',
      about: 'which run of a store: the beginning of its id in sweep status --json',
    }),
    on: valueFlag(
      { value: '<group>', about: 'another world than the one of training, for a model without embeddings' },
      parseGroupOrFile,
    ),
    seed: fieldFlag({ kind: 'seed', about: 'seed of the dataset (default that of training)' }),
    split: choiceFlag(SPLIT_NAMES, { about: 'which part of the dataset', initial: 'test' }),
    ...dataFlag,
    ...ownModelsFlag,
    ...deviceFlags,
    json: switchFlag('the numbers as JSON'),
    ...verboseFlag,
  },
  run: async ({ args: [path], flags, env, stdout }) => {
    const { split, json } = flags;
    const stored = (await isStore(path))
      ? await fromStore(await storeAddress(path, env), flags)
      : await readStoredModel('evaluate', path, flags.epoch);
    const { config, epoch } = stored;
    const there = elsewhere(config, flags);
    const dataset = await datasetFor('evaluate', there ?? config, flags.data);
    const measured = await withBackend(flags, async () => {
      const trainer = openStoredModel({ ...stored, config: there ?? config }, dataset);
      try {
        return await measure(trainer, split);
      } finally {
        trainer.dispose();
      }
    });
    if (json) {
      const on = there && { group: there.group, seed: there.seed };
      stdout.write(`${JSON.stringify({ run: config, ...(on && { on }), epoch, split, ...measured })}\n`);
      return;
    }
    stdout.write(
      `${variantName(config)} ${there ? 'trained on' : 'on'} ${worldName(config)}, seed ${config.seed}, epoch ${epoch}, ${there ? `on ${worldName(there)}, seed ${there.seed}, ` : ''}${split} split\n\n`,
    );
    stdout.write(`${scores(measured)}\n`);
    if (measured.visited !== undefined) {
      stdout.write(
        `\nA question has attention on ${(100 * measured.visited).toFixed(2)} % of the nodes, in the mean.\n`,
      );
    }
    stdout.write(
      measured.flow
        ? `\n${flowTable(measured.flow, isCard(config.group))}\n`
        : isCard(config.group)
          ? ''
          : '\nA regular network: its attention does not flow.\n',
    );
  },
});

/** The run on another world, if one is asked for. Whoever has a free embedding for each node of a map is bound to it. */
function elsewhere(
  config: RunConfig,
  { on, seed }: { readonly on: RunConfig['group'] | undefined; readonly seed: number | undefined },
): RunConfig | undefined {
  if (on === undefined && seed === undefined) return undefined;
  const flag = on === undefined ? '--seed' : '--on';
  if (isCard(config.group)) {
    throw new UsageError(
      `evaluate: expected a run on a grid world for ${flag}, got one on the dataset ${worldName(config)}`,
    );
  }
  if (config.features?.embeddings === false) {
    return resolveRun({ ...config, group: on ?? config.group, seed: seed ?? config.seed });
  }
  throw new UsageError(
    `evaluate: expected a model without free embeddings for ${flag}, got ${variantName(config)}, ` +
      'whose embeddings belong to the map it was trained on (train with --waves 2 --embeddings false)',
  );
}

/** A finished run of a store of sweeps. */
async function fromStore(
  address: string,
  { run: wanted, epoch }: { readonly run: string | undefined; readonly epoch: WantedEpoch | undefined },
): Promise<StoredModel> {
  const matching: string[] = [];
  const choose = ({ run }: { readonly run: string }): boolean => {
    if (wanted === undefined || !run.startsWith(wanted)) return false;
    return matching.push(run) === 1;
  };
  return withFetchedRuns(address, choose, async (folder) => {
    const [found] = await findRuns(folder);
    if (found !== undefined && matching.length === 1) return readStoredModel('evaluate', found, epoch);
    const got = wanted === undefined ? 'none' : `${matching.length} that begin with ${wanted}`;
    throw new UsageError(`evaluate: expected --run with the id of one finished run of the store, got ${got}`);
  });
}

interface Measured extends RawAndFiltered {
  readonly ceiling?: RawAndFiltered;
  readonly flow?: FlowMetrics;
  /** Of pruned flow: the share of the nodes that a question looks at. */
  readonly visited?: number;
}

async function measure(trainer: Trainer, split: SplitName): Promise<Measured> {
  const metrics = await evaluateSplit(trainer, split);
  const flow = await flowMetrics(trainer, split);
  const ceiling = trainer.dataset.ceiling?.(split);
  const visited = isPruned(trainer.config) ? await visitedShare(trainer, split) : undefined;
  return {
    ...metrics,
    ...(ceiling && { ceiling }),
    ...(flow && { flow }),
    ...(visited !== undefined && { visited }),
  };
}

function scores({ raw, filtered, ceiling }: Measured): string {
  const rows = [
    ['raw', ...metricCells(raw)],
    ['filtered', ...metricCells(filtered)],
  ];
  if (ceiling) {
    rows.push(['ceiling, raw', ...metricCells(ceiling.raw)]);
    rows.push(['ceiling, filtered', ...metricCells(ceiling.filtered)]);
  }
  return textTable(['', ...metricTitles], rows);
}

/** The nodes of a dataset lie where its file says, in units of its own; a grid has cells. */
function flowTable({ share, distance }: FlowMetrics, isOfDataset: boolean): string {
  const rows = share.map((on, t) => [String(t), `${(100 * on).toFixed(1)} %`, distance[t].toFixed(2)]);
  const titles = isOfDataset
    ? ['attention on the true path', 'distance from the path at t, by x and y']
    : ['attention on the true walk', 'cells from the walker'];
  return textTable(['t', ...titles], rows, { left: 0 });
}
