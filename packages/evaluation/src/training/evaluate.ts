import { createRanking, questionsOf, trueDestinations } from '@flowgrad/data';
import type { RawAndFiltered, SplitName } from '@flowgrad/data';
import { predict } from './predict.ts';
import type { Trainer } from './trainer.ts';

/** The ranking metrics of a model on a part of its dataset. Each distinct question is computed once. */
export async function evaluateSplit(trainer: Trainer, split: SplitName): Promise<RawAndFiltered> {
  const examples = trainer.dataset.examples[split];
  const questions = questionsOf(examples);
  const sources = questions.map(({ source }) => source);
  const queries = examples.queries && questions.map(({ query }) => query!);
  const ranking = createRanking({ known: trueDestinations(trainer.dataset) });
  let asked = 0;
  const asks = { sources, ...(queries && { queries }) };
  for await (const { scores } of predict(trainer, asks, { plans: trainer.evaluationPlans })) {
    ranking.add(questions[asked++], scores);
  }
  return ranking.metrics();
}
