/** What is kept of a run when it is done, so that reports need neither its checkpoints nor a backend. */
import { isGridDataset } from '@flowgrad/gridworld';
import { loadParameters } from '@flowgrad/nn';
import { bestEpochs, rankingOf, summarizeRuns } from '../metrics/best-epochs.ts';
import { flowMetrics } from '../metrics/flow-metrics.ts';
import { jsonLines } from '../run/run-files.ts';
import type { AttentionRecord, EpochRecord, RunResult } from '../run/run-record.ts';
import { predict } from '../training/predict.ts';
import type { Prediction } from '../training/predict.ts';
import type { Trainer } from '../training/trainer.ts';
import { attendedPart, fourDigits } from './attended-part.ts';
import type { OwnedFolder } from './owned-folder.ts';
import { readSnapshot } from './run-folder.ts';
import { shownExamples } from './shown-examples.ts';

const visible = 1e-4;

/** Writes both files, and deletes what is no longer needed. The trainer has the parameters of the best epoch afterwards. */
export async function finishRun(
  { folder, commit }: OwnedFolder,
  trainer: Trainer,
  epochs: readonly EpochRecord[],
  obsolete: readonly string[],
): Promise<RunResult> {
  const [{ epoch }] = bestEpochs(epochs, 'mrr', rankingOf(trainer.config));
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
  const { dataset, graph } = trainer;
  const { sources, destinations, queries, path } = dataset.examples.test;
  const shown = shownExamples(dataset.examples.test);
  const [longest] = shown;
  const pathOf = path ?? ((example) => Int32Array.of(sources[example], destinations[example]));
  // Grid worlds have a map, on which the first example alone is drawn.
  const isMap = isGridDataset(dataset);
  const asked = isMap ? [longest] : shown;
  const questions = {
    sources: asked.map((example) => sources[example]),
    ...(queries && { queries: asked.map((example) => queries[example]) }),
  };
  const predictions: Prediction[] = [];
  for await (const each of predict(trainer, questions, { attention: isMap ? 'focused' : 'flowing' })) {
    predictions.push(each);
  }
  const attended = isMap
    ? []
    : predictions.flatMap(
        (each, i) => attendedPart(dataset, graph, each, { destination: destinations[asked[i]] }) ?? [],
      );
  const [{ source, query, scores, attention }] = predictions;
  const pairsAbove = (values: Float32Array): [number, number][] =>
    Array.from(values, (each, node): [number, number] => [node, fourDigits(each)]).filter(
      ([, each]) => each >= visible,
    );
  return {
    epoch,
    source,
    ...(query !== undefined && { query }),
    trajectory: [...pathOf(longest)],
    ...(attention && { focused: attention.focused.map(pairsAbove) }),
    ...(attention?.stopped && { stopped: attention.stopped.map(pairsAbove) }),
    top: Array.from(scores, (score, node): [number, number] => [node, fourDigits(score)])
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, 10),
    ...(attended.length > 0 && { attended }),
  };
}
