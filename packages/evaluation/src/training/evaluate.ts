import { evaluateRanking, trueDestinations } from '@flowgrad/data';
import type { RawAndFiltered, SplitName } from '@flowgrad/data';
import { distinctQuestions, predict } from './predict.ts';
import type { Trainer } from './trainer.ts';

/** The ranking metrics of a model on a part of its dataset. Each distinct question is computed once. */
export async function evaluateSplit(trainer: Trainer, split: SplitName): Promise<RawAndFiltered> {
  const examples = trainer.dataset.examples[split];
  const keyOf = (source: number, query?: number): string => `${source} ${query}`;
  const scores = new Map<string, Float32Array>();
  for await (const prediction of predict(trainer, distinctQuestions(examples))) {
    scores.set(keyOf(prediction.source, prediction.query), prediction.scores);
  }
  const known = trueDestinations(trainer.dataset);
  return evaluateRanking(examples, (source, query) => scores.get(keyOf(source, query))!, { known });
}
