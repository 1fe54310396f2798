import { defineCommand, exitCodes } from '../command.ts';
import { valueFlag, switchFlag } from '../flags/flag.ts';
import type { Flag } from '../flags/flag.ts';
import { parseGroup } from '../flags/group.ts';
import { parseWords } from '../flags/lists.ts';
import { settingFlags, settingsOf } from '../flags/field-flag.ts';
import { deviceFlags, parseModels, verboseFlag } from '../flags/run-flags.ts';
import { timeSteps } from '../runs/time-steps.ts';
import type { StepTiming } from '../runs/time-steps.ts';
import { withBackend } from '../runs/with-backend.ts';
import { createProgress } from '../terminal/progress.ts';
import { textTable } from '@flowgrad/files';
import { UsageError } from '../usage-error.ts';

const { batch, d, features } = settingFlags;

const secondsFlag: Flag<number> = {
  value: '<s>',
  about: 'time given to each',
  initial: 3,
  parse: (text) => {
    const seconds = Number(text);
    if (seconds > 0 && Number.isFinite(seconds)) return seconds;
    throw new UsageError(`expected seconds > 0, got '${text}'`);
  },
};

interface WorldTimings {
  readonly group: string;
  readonly timings: StepTiming[];
}

export const bench = defineCommand({
  name: 'bench',
  summary: 'Training steps per second on this machine, with cone and with dense plans.',
  usage: 'bench [flags]',
  examples: [
    { line: 'bench', about: 'six models on a world of 32 × 32' },
    {
      line: 'bench --models GGNN-MulMlp --groups SINE-SZ16-STP8-NDRP-STD0.2 --device wasm --threads 1 --json',
      about: 'one, for a script',
    },
  ],
  flags: {
    groups: {
      ...valueFlag({ value: '<a,b,…>', about: 'dataset groups' }, (text) => parseWords(text).map(parseGroup)),
      initial: ['SINE-SZ32-STP16-NDRP-STD0.2'],
    } as Flag<string[]>,
    models: {
      ...valueFlag({ value: '<a,b,…>', about: 'models' }, parseModels),
      initial: ['GGNN', 'GGNN-MulMlp', 'GAT-MulMlp', 'FullGN-MulMlp', 'RW-Dynamic', 'RW-Stationary'],
    } as Flag<ReturnType<typeof parseModels>>,
    ...{ batch, d, features },
    seconds: secondsFlag,
    ...deviceFlags,
    json: switchFlag('the numbers as JSON'),
    ...verboseFlag,
  },
  stopsInOrder: true,
  run: async ({ flags, stdout, stderr, signal, enter }) => {
    enter?.('working');
    const { groups, models, seconds, json } = flags;
    const protocol = settingsOf(flags);
    const { backend, worlds } = await withBackend(flags, async (opened) => {
      const progress = createProgress(stderr, {
        label: 'bench',
        total: 2 * groups.length * models.length,
        unit: 'cases',
      });
      const worlds: WorldTimings[] = groups.map((group) => ({ group, timings: [] }));
      let done = 0;
      for (const { group, timings } of worlds) {
        for (const model of models) {
          for (const plan of ['cone', 'dense'] as const) {
            if (signal.aborted) continue;
            progress.update(done, `${model} ${plan}`);
            const timing = await timeSteps({ group, model, ...protocol, plan }, { seconds, signal });
            if (timing) timings.push(timing);
            progress.update(++done);
          }
        }
      }
      progress.end();
      return { backend: `${opened.name}, ${opened.device}`, worlds };
    });
    if (json) stdout.write(`${JSON.stringify({ backend, worlds })}\n`);
    else for (const world of worlds) stdout.write(`${table(backend, world)}\n`);
    return signal.aborted ? exitCodes.interrupted : exitCodes.ok;
  },
});

function table(backend: string, { group, timings }: WorldTimings): string {
  const rows = timings.map(({ model, plan, stepsPerSecond, planning }) => {
    const dense = timings.find((other) => other.model === model && other.plan === 'dense');
    const ratio = plan === 'cone' && dense ? `${(stepsPerSecond / dense.stepsPerSecond).toFixed(2)} ×` : '';
    const rate = stepsPerSecond < 10 ? stepsPerSecond.toFixed(2) : stepsPerSecond.toFixed(1);
    return [model, plan, rate, `${(100 * planning).toFixed(1)} %`, ratio];
  });
  const head = ['model', 'plan', 'steps/s', 'planning', 'against dense'];
  return `${group}, ${backend}\n\n${textTable(head, rows, { left: 2 })}\n`;
}
