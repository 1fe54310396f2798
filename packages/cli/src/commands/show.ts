import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { variantName, worldName } from '@flowgrad/evaluation';
import type { Trainer } from '@flowgrad/evaluation';
import { expectReplaceable, replaceFile } from '@flowgrad/files/node';
import { isGridDataset, mapSvg } from '@flowgrad/gridworld';
import type { GridDataset } from '@flowgrad/gridworld';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { parseEpoch } from '../flags/epoch.ts';
import { dataFlag, datasetFor } from '../flags/data.ts';
import { choiceFlag, integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { deviceFlags, verboseFlag } from '../flags/run-flags.ts';
import { attendedNodes, namedNode, nameOf, queryOf } from '../pictures/attended-nodes.ts';
import { attendedPictures } from '../pictures/attended-pictures.ts';
import { attentionFrames, longestTestSource, nodeOf, walkFrom } from '../pictures/attention-of.ts';
import type { AttentionFrame } from '../pictures/attention-of.ts';
import { sightsFrame } from '../pictures/sights-of.ts';
import { pngOf } from '../pictures/png.ts';
import { hasTrueColour, terminalMap } from '../pictures/terminal-map.ts';
import { openStoredModel, readStoredModel } from '../runs/open-run.ts';
import { ownModelsFlag } from '../runs/own-models.ts';
import { withBackend } from '../runs/with-backend.ts';
import { UsageError } from '../usage-error.ts';

const flags = {
  source: textFlag({
    value: 'x,y|<n>|<name>',
    about: 'where it starts (default the test source with the longest walk)',
  }),
  query: textFlag({
    value: '<name>',
    about: 'what is asked, of a dataset that asks (default what its first test example from there asks)',
  }),
  step: integerFlag({
    value: '<t>',
    about: 'the attention at one time (default the most at any time)',
    least: 0,
  }),
  channel: integerFlag({
    value: '<n>',
    about:
      'what a walker that remembers sees of each place, in the channel that is n-th in how much it tells',
    least: 1,
  }),
  all: switchFlag('every time by itself; --out is a folder then'),
  format: choiceFlag(['terminal', 'svg', 'png'], { about: 'how', initial: 'terminal' }),
  out: textFlag({ value: '<file>', about: 'where svg or png go (default attention.svg, attention.png)' }),
  epoch: valueFlag(
    { value: '<n>|best|last', about: 'which epoch of a run folder (default best)' },
    parseEpoch,
  ),
  ...dataFlag,
  ...ownModelsFlag,
  ...deviceFlags,
  ...verboseFlag,
};

type ShowContext = Context<typeof flags>;

export const show = defineCommand({
  name: 'show',
  summary: 'Draws where the attention of one source flows.',
  usage: 'show <run folder | parameters.safetensors> [flags]',
  ownModels: 'alone',
  takes: [1, 1],
  examples: [
    {
      line: 'show runs/demo/SINE-SZ16-STP8-NDRP-STD0.2/Walker+epochs=60/seed1-shuffling1',
      about: 'in the terminal, a run that npm start leaves',
    },
    {
      line: 'show runs/demo/SINE-SZ16-STP8-NDRP-STD0.2/Walker+epochs=60/seed1-shuffling1 --source 3,4 --format png --out attention.png',
      about: 'a picture, from a place of your choice',
    },
    {
      line: 'show runs/demo/SINE-SZ16-STP8-NDRP-STD0.2/Walker+epochs=60/seed1-shuffling1 --all --format svg --out steps',
      about: 'a picture of every time',
    },
    {
      line: 'show runs/my-walker --channel 1 --format svg',
      about: 'what a Walker of your own, trained with --memory, looks out for on its way',
    },
  ],
  flags,
  run: async (context) => {
    const { args, flags } = context;
    const times = (['all', 'step', 'channel'] as const).filter((name) => (flags[name] ?? false) !== false);
    if (times.length > 1) {
      throw new UsageError(
        `show: expected one of --all, --step and --channel, got --${times.join(' and --')}`,
      );
    }
    const stored = await readStoredModel('show', args[0], flags.epoch);
    const given = await datasetFor('show', stored.config, flags.data);
    const { config } = stored;
    // Settings of training would leave no room for what a picture of a memory is of.
    const what = flags.channel === undefined ? variantName(config) : config.model;
    const title = `${what} on ${worldName(config)}`;
    const drawn = await withBackend(flags, async () => {
      const trainer = openStoredModel(stored, given);
      try {
        return await draw(context, trainer, title);
      } finally {
        trainer.dispose();
      }
    });
    if (typeof drawn === 'string') context.stdout.write(drawn);
    else await write(context, drawn);
  },
});

/** Text for the terminal, or pictures as SVG. */
async function draw(context: ShowContext, trainer: Trainer, title: string): Promise<string | string[]> {
  const { flags } = context;
  const { dataset } = trainer;
  const isText = flags.format === 'terminal';
  const wanted = flags.all ? 'all' : (flags.step ?? 'belt');
  if (isGridDataset(dataset)) {
    const source =
      flags.source === undefined ? longestTestSource(dataset) : nodeOf(dataset.map, flags.source);
    const frames =
      flags.channel === undefined
        ? await attentionFrames(trainer, { source, query: queryOf(dataset, source, flags.query) }, wanted)
        : [await sightsFrame(trainer, flags.channel)];
    return isText
      ? mapText(context, title, frames, dataset, source)
      : mapPictures(title, frames, dataset, flags.channel === undefined ? source : undefined);
  }
  if (flags.channel !== undefined)
    throw new UsageError(`show: expected the run of a grid world for --channel, got one of ${dataset.name}`);
  const source = flags.source === undefined ? longestTestSource(dataset) : namedNode(dataset, flags.source);
  const query = queryOf(dataset, source, flags.query);
  const asked = query === undefined ? '' : `, asked for ${dataset.queryNames![query]}`;
  const heading = `${title}, from ${nameOf(dataset, source)}${asked}`;
  if (!isText) return attendedPictures(trainer, { source, query }, wanted, heading);
  const frames = await attentionFrames(trainer, { source, query }, wanted);
  return `${heading}\n${frames.map((frame) => `\n${frame.title}\n${attendedNodes(dataset, frame)}\n`).join('')}`;
}

function mapText(
  { stdout, env }: ShowContext,
  title: string,
  frames: readonly AttentionFrame[],
  dataset: GridDataset,
  source: number,
): string {
  const { map } = dataset;
  const destination = walkFrom(dataset, source)?.at(-1);
  const colour = hasTrueColour(stdout.isTTY, env);
  const maps = frames.map(
    ({ title, distribution }) =>
      `\n${title}\n${terminalMap({ map, distribution, colour, source, destination })}\n`,
  );
  const end = destination === undefined ? '' : ', D where a walk from it ended';
  const most = Math.max(...frames[0].distribution).toFixed(3);
  return `${title}, from ${map.x[source]},${map.y[source]}\n${maps.join('')}\nS the source${end}; at most ${most} at one place\n`;
}

function mapPictures(
  title: string,
  frames: readonly AttentionFrame[],
  dataset: GridDataset,
  source: number | undefined,
): string[] {
  const trajectory = source === undefined ? [] : (walkFrom(dataset, source) ?? [source]);
  return frames.map(({ distribution, stopped, title: ofFrame }) =>
    mapSvg(dataset.map, {
      trajectory,
      distribution,
      ...(stopped && { stopped }),
      title: `${title}: ${ofFrame}`,
    }),
  );
}

async function write(
  { flags: { format, out, all }, stdout }: ShowContext,
  pictures: readonly string[],
): Promise<void> {
  const target = out ?? (all ? 'attention' : `attention.${format}`);
  if (all) await mkdir(target, { recursive: true });
  const files = pictures.map((_, i) =>
    all ? join(target, `step-${String(i).padStart(2, '0')}.${format}`) : target,
  );
  const isOne = (beginning: Uint8Array): boolean =>
    Buffer.from(beginning.subarray(0, 4)).toString('latin1') === (format === 'svg' ? '<svg' : '\x89PNG');
  for (const file of files) {
    await expectReplaceable(file, { where: 'show', what: `a picture in ${format}`, isOne });
  }
  for (const [i, svg] of pictures.entries()) {
    await replaceFile(files[i], format === 'svg' ? svg : await pngOf(svg));
  }
  stdout.write(`${pictures.length === 1 ? 'A picture' : `${pictures.length} pictures`} in ${target}\n`);
}
