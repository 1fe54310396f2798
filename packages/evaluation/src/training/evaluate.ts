import { evaluateRanking, trueDestinations } from '@flowgrad/data';
import type { RawAndFiltered, SplitName } from '@flowgrad/data';
import { predict } from './predict.ts';
import type { Trainer } from './trainer.ts';

/** The ranking metrics of a model on a part of its dataset. Each distinct source is computed once. */
export async function evaluateSplit(trainer: Trainer, split: SplitName): Promise<RawAndFiltered> {
  const pairs = trainer.dataset.examples[split];
  const scores = new Map<number, Float32Array>();
  for await (const prediction of predict(trainer, Int32Array.from(new Set(pairs.sources)))) {
    scores.set(prediction.source, prediction.scores);
  }
  const known = trueDestinations(trainer.dataset);
  return evaluateRanking(pairs, (source) => scores.get(source)!, { known });
}
