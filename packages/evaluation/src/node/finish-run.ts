/** What is kept of a run when it is done, so that reports need neither its checkpoints nor a backend. */
import { loadParameters } from '@flowgrad/nn';
import { bestEpochs, summarizeRuns } from '../metrics/best-epochs.ts';
import { flowMetrics } from '../metrics/flow-metrics.ts';
import { jsonLines } from '../run/run-files.ts';
import type { AttentionRecord, EpochRecord, RunResult } from '../run/run-record.ts';
import { predict } from '../training/predict.ts';
import type { Prediction } from '../training/predict.ts';
import type { Trainer } from '../training/trainer.ts';
import type { OwnedFolder } from './owned-folder.ts';
import { readSnapshot } from './run-folder.ts';

const visible = 1e-4;

/** Writes both files, and deletes what is no longer needed. The trainer has the parameters of the best epoch afterwards. */
export async function finishRun(
  { folder, commit }: OwnedFolder,
  trainer: Trainer,
  epochs: readonly EpochRecord[],
  obsolete: readonly string[],
): Promise<RunResult> {
  const [{ epoch }] = bestEpochs(epochs, 'mrr');
  const parameters = await readSnapshot(folder, epoch);
  if (!parameters) throw new Error(`train: expected a snapshot of epoch ${epoch} in ${folder}, got none`);
  loadParameters(trainer.model, parameters);
  const flow = await flowMetrics(trainer, 'test');
  const ceiling = trainer.dataset.ceiling?.('test');
  const result: RunResult = {
    epochs: epochs.length,
    seconds: epochs.reduce((sum, { seconds }) => sum + seconds, 0),
    raw: summarizeRuns([epochs], 'raw'),
    filtered: summarizeRuns([epochs], 'filtered'),
    ...(ceiling && { ceiling }),
    ...(flow && { flow: { epoch, ...flow } }),
  };
  const attention = await attentionRecord(trainer, epoch);
  await commit({
    write: { 'attention.json': jsonLines([attention]), 'summary.json': jsonLines([result]) },
    remove: obsolete,
  });
  return result;
}

async function attentionRecord(trainer: Trainer, epoch: number): Promise<AttentionRecord> {
  const { sources, destinations, queries, path } = trainer.dataset.examples.test;
  const paths = Array.from(sources, (source, i) => path?.(i) ?? Int32Array.of(source, destinations[i]));
  // The longest walk shows most; of equals the first.
  const longest = paths.reduce((best, path, i) => (path.length > paths[best].length ? i : best), 0);
  const source = sources[longest];
  const query = queries?.[longest];
  const question = { sources: [source], ...(query !== undefined && { queries: [query] }) };
  const predictions = predict(trainer, question, { attention: 'focused' });
  const { scores, attention } = (await predictions.next()).value as Prediction;
  const rounded = (number: number): number => Number(number.toPrecision(4));
  const pairsAbove = (values: Float32Array): [number, number][] =>
    Array.from(values, (each, node): [number, number] => [node, rounded(each)]).filter(
      ([, each]) => each >= visible,
    );
  return {
    epoch,
    source,
    ...(query !== undefined && { query }),
    trajectory: [...paths[longest]],
    ...(attention && { focused: attention.focused.map(pairsAbove) }),
    ...(attention?.stopped && { stopped: attention.stopped.map(pairsAbove) }),
    top: Array.from(scores, (score, node): [number, number] => [node, rounded(score)])
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, 10),
  };
}
