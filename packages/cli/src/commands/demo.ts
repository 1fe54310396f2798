import { join } from 'node:path';
import { resolveRun } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { writeReport } from '@flowgrad/evaluation/node';
import { defineCommand, exitCodes } from '../command.ts';
import { integerFlag, textFlag } from '../flags/flag.ts';
import { deviceFlags, verboseFlag } from '../flags/run-flags.ts';
import { runPath } from '../runs/run-path.ts';
import { scoreTable } from '../runs/score-table.ts';
import type { FinishedRun } from '../runs/score-table.ts';
import { trainWithProgress } from '../runs/train-with-progress.ts';

const group = 'SINE-SZ16-STP8-NDRP-STD0.2';
/** The rates of the paper are for fifty epochs of worlds with four times the examples. */
const faster = { learningRates: [3e-3, 2e-3, 1e-3, 5e-4] };
const models = [
  { model: 'GGNN-MulMlp', ...faster },
  { model: 'RW-Stationary', ...faster },
  { model: 'Walker' },
] as const;

const usual = { epochs: 60, out: 'runs/demo' };

/** What the demo trains, and where each run goes. */
export const demoRuns = ({ epochs, out } = usual): { settings: RunSettings; folder: string }[] =>
  models.map((model) => {
    const settings: RunSettings = { group, epochs, ...model };
    return { settings, folder: runPath(out, resolveRun(settings)) };
  });

export const demo = defineCommand({
  name: 'demo',
  summary: 'Three models on a small world, with a report: what there is to see, in two minutes.',
  usage: 'demo [flags]',
  examples: [
    { line: 'demo', about: 'what npm start runs' },
    { line: 'demo --epochs 200 --out runs/longer', about: 'better scores' },
  ],
  flags: {
    epochs: integerFlag({ about: 'epochs of each model', least: 1, initial: usual.epochs }),
    ...deviceFlags,
    out: textFlag({ value: '<folder>', about: 'where the runs and the report go', initial: usual.out }),
    ...verboseFlag,
  },
  stopsInOrder: true,
  run: async (context) => {
    const { flags, stdout, stderr } = context;
    const { epochs, out, device, threads } = flags;
    stdout.write(
      `A world of 16 × 16 places (${group}), a tenth of them missing. Walkers drift through it for up to 8 steps;\n` +
        'from where one starts, a model says where it ends.\n\n',
    );
    const finished: FinishedRun[] = [];
    for (const { settings, folder } of demoRuns({ epochs, out })) {
      const options = { folder, settings, resume: true, device, threads, json: false };
      const trained = await trainWithProgress(context, options);
      if (!trained?.result) {
        stderr.write('Stopped. The same command goes on.\n');
        return exitCodes.interrupted;
      }
      finished.push({ config: trained.config, result: trained.result });
    }
    stdout.write(`\n${scoreTable(finished, ({ model }) => model)}\n\n`);
    stdout.write('The ceiling is what the walkers themselves allow: no model can do better on average.\n');
    const report = join(out, 'report.html');
    await writeReport(out, report);
    stdout.write(`The report, with pictures of the attention: ${report}\n`);
    return exitCodes.ok;
  },
});
