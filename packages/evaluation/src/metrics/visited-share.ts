import type { SplitName } from '@flowgrad/data';
import { distinctQuestions, predict } from '../training/predict.ts';
import type { Trainer } from '../training/trainer.ts';

/**
 * The share of the graph's nodes on which there is attention at some step, a mean over the questions of a part of the dataset:
 * how much of the graph pruned flow looks at. Of models with explicit flow.
 */
export async function visitedShare(trainer: Trainer, split: SplitName): Promise<number | undefined> {
  if (!trainer.model.kind.flow) return undefined;
  const { nodeCount } = trainer.graph;
  let [visited, questions] = [0, 0];
  const asked = distinctQuestions(trainer.dataset.examples[split]);
  for await (const { attention } of predict(trainer, asked, { attention: 'focused' })) {
    const { focused } = attention!;
    for (let node = 0; node < nodeCount; node++) visited += Number(focused.some((step) => step[node] > 0));
    questions += 1;
  }
  return visited / (questions * nodeCount);
}
