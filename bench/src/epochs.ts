/** Seconds of a training epoch, and of the evaluation after it, on one thread; of this build, and of another checkout's beside it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as evaluation from '@flowgrad/evaluation';
import { textTable } from '@flowgrad/files';
import { paperModelNames } from '@flowgrad/models';
import * as tensor from '@flowgrad/tensor';
import * as tensorNode from '@flowgrad/tensor/node';

export interface EpochBenchOptions {
  /** The name of a group, such as HISTORY-SZ32-STP16-NDRP-STD0.2. */
  readonly group: string;
  /** Models whose name contains this. */
  readonly filter: string;
  /** Batches that are trained on. */
  readonly batches: number;
  /** Another checkout, built, that is measured beside this one: a batch there, a batch here, and so on. */
  readonly before?: string | undefined;
  readonly onProgress: (what: string) => void;
}

type PaperModel = (typeof paperModelNames)[number];

/** What of a build is used: little, so that other builds have it too. */
type Build = Pick<typeof evaluation, 'createTrainer' | 'evaluateSplit'> &
  Pick<typeof tensor, 'setBackend'> &
  Pick<typeof tensorNode, 'openWasm'>;

const thisBuild: Build = { ...evaluation, ...tensor, ...tensorNode };

/** Modules of another checkout have tensors and a backend of their own. */
async function buildIn(checkout: string): Promise<Build> {
  const load = (path: string): Promise<object> =>
    import(pathToFileURL(join(checkout, 'packages', path)).href).catch((error: unknown) => {
      throw new Error(`bench: expected ${checkout} to be built, got ${(error as Error).message}`);
    }) as Promise<object>;
  const modules = ['evaluation/dist/index.js', 'tensor/dist/index.js', 'tensor/dist/node/index.js'];
  return Object.assign({}, ...(await Promise.all(modules.map(load)))) as Build;
}

/** Processor time of this process, in seconds, which others on the machine disturb least. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function secondsOf(job: () => Promise<unknown>): Promise<number> {
  const start = processorSeconds();
  await job();
  return processorSeconds() - start;
}

/** [training, evaluation] of each build, which take turns. Batches are those of the first epoch, in which planners find cones for the first time. */
async function epochSeconds(
  builds: readonly Build[],
  { group, model, batches }: { group: string; model: PaperModel; batches: number },
): Promise<[number, number][]> {
  const contestants = await Promise.all(
    builds.map(async ({ openWasm, setBackend, createTrainer, evaluateSplit }) => {
      const backend = await openWasm({ threads: 1 });
      const previous = setBackend(backend);
      const trainer = createTrainer({ group, model });
      const end = async (): Promise<void> => {
        trainer.dispose();
        setBackend(previous);
        await backend.close();
      };
      return { trainer, evaluate: () => evaluateSplit(trainer, 'valid'), end };
    }),
  );
  const seconds = contestants.map((): [number, number] => [0, 0]);
  // The first time warms up.
  for (let batch = 0; batch <= batches; batch++) {
    for (const [i, { trainer }] of contestants.entries()) {
      const one = await secondsOf(() => trainer.step());
      if (batch > 0) seconds[i][0] += (one * trainer.stepsPerEpoch) / batches;
    }
  }
  for (const { evaluate } of contestants) await evaluate();
  const evaluations = contestants.map((): number[] => []);
  // Short ones several times, as chance is a larger part of them.
  for (let spent = 0, turn = 0; turn < 9 && (turn < 1 || spent < 8); turn++) {
    for (const [i, { evaluate }] of contestants.entries()) {
      const one = await secondsOf(evaluate);
      evaluations[i].push(one);
      spent += one;
    }
  }
  for (const [i, each] of evaluations.entries()) {
    seconds[i][1] = each.sort((a, b) => a - b)[each.length >> 1];
  }
  for (const { end } of contestants) await end();
  return seconds;
}

const figure = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
const ratio = (after: number, before: number): string => `${(after / before).toFixed(2)} ×`;

/** A table with a row for each model. */
export async function benchEpochs(options: EpochBenchOptions): Promise<string> {
  const { group, filter, batches, before, onProgress } = options;
  const builds = before === undefined ? [thisBuild] : [await buildIn(before), thisBuild];
  const rows: string[][] = [];
  for (const model of paperModelNames) {
    if (!model.includes(filter)) continue;
    onProgress(model);
    const [first, second] = await epochSeconds(builds, { group, model, batches });
    const columns = first.flatMap((each, i) =>
      second ? [figure(each), figure(second[i]), ratio(second[i], each)] : [figure(each)],
    );
    rows.push([model, ...columns]);
  }
  const columnsOf = (what: string): string[] =>
    before === undefined ? [what] : [`${what}, before`, 'after', ''];
  return textTable(['model', ...columnsOf('training'), ...columnsOf('evaluation')], rows, {
    ...{ left: 1, rule: false },
  });
}
