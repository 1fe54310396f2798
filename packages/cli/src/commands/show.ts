import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { variantName, worldName } from '@flowgrad/evaluation';
import { isGridDataset, mapSvg } from '@flowgrad/gridworld';
import type { GridDataset } from '@flowgrad/gridworld';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { parseEpoch } from '../flags/epoch.ts';
import { dataFlag, datasetFor } from '../flags/data.ts';
import { choiceFlag, integerFlag, switchFlag, textFlag, valueFlag } from '../flags/flag.ts';
import { deviceFlags, verboseFlag } from '../flags/run-flags.ts';
import { attendedNodes, namedNode, nameOf, queryOf } from '../pictures/attended-nodes.ts';
import { attentionFrames, longestTestSource, nodeOf, walkFrom } from '../pictures/attention-of.ts';
import type { AttentionFrame } from '../pictures/attention-of.ts';
import { pngOf } from '../pictures/png.ts';
import { hasTrueColour, terminalMap } from '../pictures/terminal-map.ts';
import { openStoredModel, readStoredModel } from '../runs/open-run.ts';
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
  all: switchFlag('every time by itself; --out is a folder then'),
  format: choiceFlag(['terminal', 'svg', 'png'], { about: 'how', initial: 'terminal' }),
  out: textFlag({ value: '<file>', about: 'where svg or png go (default attention.svg, attention.png)' }),
  epoch: valueFlag(
    { value: '<n>|best|last', about: 'which epoch of a run folder (default best)' },
    parseEpoch,
  ),
  ...dataFlag,
  ...deviceFlags,
  ...verboseFlag,
};

type ShowContext = Context<typeof flags>;

export const show = defineCommand({
  name: 'show',
  summary: 'Draws where the attention of one source flows.',
  usage: 'show <run folder | parameters.safetensors> [flags]',
  takes: [1, 1],
  examples: [
    {
      line: 'show runs/demo/SINE-SZ16-STP8-NDRP-STD0.2/GGNN-MulMlp/seed1-shuffling1',
      about: 'in the terminal',
    },
    { line: 'show parameters.safetensors --source 3,4 --format png --out attention.png', about: 'a picture' },
    { line: 'show runs/my-run --all --format svg --out steps', about: 'a picture of every time' },
  ],
  flags,
  run: async (context) => {
    const { args, flags } = context;
    if (flags.all && flags.step !== undefined)
      throw new UsageError('show: expected --all or --step, got both');
    const stored = await readStoredModel('show', args[0], flags.epoch);
    const given = await datasetFor('show', stored.config, flags.data);
    if (given && flags.format !== 'terminal') {
      throw new UsageError(`show: expected --format terminal with a dataset, got ${flags.format}`);
    }
    const title = `${variantName(stored.config)} on ${worldName(stored.config)}`;
    const { frames, dataset, source, query } = await withBackend(flags, async () => {
      const trainer = openStoredModel(stored, given);
      try {
        const { dataset } = trainer;
        const source =
          flags.source === undefined
            ? longestTestSource(dataset)
            : isGridDataset(dataset)
              ? nodeOf(dataset.map, flags.source)
              : namedNode(dataset, flags.source);
        const query = queryOf(dataset, source, flags.query);
        const wanted = flags.all ? 'all' : (flags.step ?? 'belt');
        const frames = await attentionFrames(trainer, { source, query }, wanted);
        return { frames, dataset, source, query };
      } finally {
        trainer.dispose();
      }
    });
    if (!isGridDataset(dataset)) {
      const asked = query === undefined ? '' : `, asked for ${dataset.queryNames![query]}`;
      context.stdout.write(`${title}, from ${nameOf(dataset, source)}${asked}\n`);
      for (const frame of frames)
        context.stdout.write(`\n${frame.title}\n${attendedNodes(dataset, frame)}\n`);
    } else if (flags.format === 'terminal') print(context, title, frames, dataset, source);
    else await write(context, title, frames, dataset, source);
  },
});

function print(
  { stdout, env }: ShowContext,
  title: string,
  frames: readonly AttentionFrame[],
  dataset: GridDataset,
  source: number,
): void {
  const { map } = dataset;
  const destination = walkFrom(dataset, source)?.at(-1);
  const colour = hasTrueColour(stdout.isTTY, env);
  stdout.write(`${title}, from ${map.x[source]},${map.y[source]}\n`);
  for (const { title, distribution } of frames) {
    stdout.write(`\n${title}\n${terminalMap({ map, distribution, colour, source, destination })}\n`);
  }
  const end = destination === undefined ? '' : ', D where a walk from it ended';
  stdout.write(
    `\nS the source${end}; at most ${Math.max(...frames[0].distribution).toFixed(3)} at one place\n`,
  );
}

async function write(
  { flags: { format, out, all }, stdout }: ShowContext,
  title: string,
  frames: readonly AttentionFrame[],
  dataset: GridDataset,
  source: number,
): Promise<void> {
  const trajectory = walkFrom(dataset, source) ?? [source];
  const target = out ?? (all ? 'attention' : `attention.${format}`);
  if (all) await mkdir(target, { recursive: true });
  for (const [i, frame] of frames.entries()) {
    const { distribution, stopped } = frame;
    const svg = mapSvg(dataset.map, {
      trajectory,
      distribution,
      ...(stopped && { stopped }),
      title: `${title}: ${frame.title}`,
    });
    const file = all ? join(target, `step-${String(i).padStart(2, '0')}.${format}`) : target;
    await writeFile(file, format === 'svg' ? svg : await pngOf(svg));
  }
  stdout.write(`${frames.length === 1 ? 'A picture' : `${frames.length} pictures`} in ${target}\n`);
}
