/** What is kept of a run when it is done, so that reports need neither its checkpoints nor a backend. */
import { join } from 'node:path';
import { ceilingMetrics, pairsOf, trajectoryNodes } from '@flowgrad/gridworld';
import type { Dataset, RawAndFiltered } from '@flowgrad/gridworld';
import { replaceFile } from '@flowgrad/gridworld/node';
import { loadParameters } from '@flowgrad/nn';
import { bestEpochs, summarizeRuns } from '../metrics/best-epochs.ts';
import { flowMetrics } from '../metrics/flow-metrics.ts';
import type { AttentionRecord, EpochRecord, RunResult } from '../run/run-record.ts';
import { predict } from '../training/predict.ts';
import type { Prediction } from '../training/predict.ts';
import type { Trainer } from '../training/trainer.ts';
import { parseJson, readIfThere } from './json-file.ts';
import { readSnapshot } from './run-folder.ts';

export type { AttentionRecord, RunResult } from '../run/run-record.ts';

const visible = 1e-4;

/** Writes both files. The trainer's parameters are those of the best epoch afterwards. */
export async function finishRun(
  folder: string,
  trainer: Trainer,
  epochs: readonly EpochRecord[],
): Promise<RunResult> {
  const [{ epoch }] = bestEpochs(epochs, 'mrr');
  const parameters = await readSnapshot(folder, epoch);
  if (!parameters) throw new Error(`train: expected a snapshot of epoch ${epoch} in ${folder}, got none`);
  loadParameters(trainer.model, parameters);
  const flow = await flowMetrics(trainer, 'test');
  const ceiling = ceilingOf(trainer.dataset);
  const result: RunResult = {
    epochs: epochs.length,
    seconds: epochs.reduce((sum, { seconds }) => sum + seconds, 0),
    raw: summarizeRuns([epochs], 'raw'),
    filtered: summarizeRuns([epochs], 'filtered'),
    ...(ceiling && { ceiling }),
    ...(flow && { flow: { epoch, ...flow } }),
  };
  await writeJson(folder, 'attention.json', await attentionRecord(trainer, epoch));
  await writeJson(folder, 'summary.json', result);
  return result;
}

async function attentionRecord(trainer: Trainer, epoch: number): Promise<AttentionRecord> {
  const { dataset } = trainer;
  const { sources, trajectoryIds } = pairsOf(dataset, 'test');
  const paths = Array.from(trajectoryIds, (id) => trajectoryNodes(dataset.trajectories, id));
  // The longest walk shows most; of equals the first.
  const longest = paths.reduce((best, path, i) => (path.length > paths[best].length ? i : best), 0);
  const source = sources[longest];
  const predictions = predict(trainer, [source], { attention: 'focused' });
  const { scores, attention } = (await predictions.next()).value as Prediction;
  const rounded = (number: number): number => Number(number.toPrecision(4));
  const pairsAbove = (values: Float32Array): [number, number][] =>
    Array.from(values, (each, node): [number, number] => [node, rounded(each)]).filter(
      ([, each]) => each >= visible,
    );
  return {
    epoch,
    source,
    trajectory: [...paths[longest]],
    ...(attention && { focused: attention.focused.map(pairsAbove) }),
    top: Array.from(scores, (score, node): [number, number] => [node, rounded(score)])
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, 10),
  };
}

/** The exact distribution of long sums over history has too many states, and says so by a RangeError. */
function ceilingOf(dataset: Dataset): RawAndFiltered | undefined {
  try {
    return ceilingMetrics(dataset);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Undefined if the run is not done. */
export async function readResult(folder: string): Promise<RunResult | undefined> {
  return (await readJson(folder, 'summary.json')) as RunResult | undefined;
}

export async function readAttention(folder: string): Promise<AttentionRecord | undefined> {
  return (await readJson(folder, 'attention.json')) as AttentionRecord | undefined;
}

async function writeJson(folder: string, file: string, value: unknown): Promise<void> {
  await replaceFile(join(folder, file), `${JSON.stringify(value)}\n`);
}

async function readJson(folder: string, file: string): Promise<unknown> {
  const content = await readIfThere(join(folder, file));
  return content === undefined ? undefined : parseJson(folder, file, content);
}
