/** The attended part of a graph without a map, as SVG: once, or at every time. */
import type { Dataset } from '@flowgrad/data';
import { predict } from '@flowgrad/evaluation';
import type { Prediction, Trainer } from '@flowgrad/evaluation';
import { attendedPart, graphSvg } from '@flowgrad/evaluation/node';
import { UsageError } from '../usage-error.ts';
import { stepTitle } from './attention-of.ts';
import type { Question, WantedSteps } from './attention-of.ts';

/** The nodes lie at the same places in all of them. */
export async function attendedPictures(
  trainer: Trainer,
  question: Question,
  wanted: WantedSteps,
  title: string,
): Promise<string[]> {
  const { dataset, graph } = trainer;
  const { source, query } = question;
  const asked = { sources: [source], ...(query !== undefined && { queries: [query] }) };
  const prediction = (await predict(trainer, asked, { attention: 'flowing' }).next()).value as Prediction;
  if (!prediction.attention) {
    throw new UsageError(
      'show: expected --format terminal for a regular network on a dataset, got another (it has no flow to draw)',
    );
  }
  const last = prediction.attention.focused.length - 1;
  if (typeof wanted === 'number' && wanted > last) {
    throw new UsageError(`show: expected --step in 0..${last}, got ${wanted}`);
  }
  const all = Array.from({ length: last + 1 }, (_, t) => t);
  const steps = wanted === 'all' ? all : [wanted === 'belt' ? undefined : wanted];
  const destination = answerOf(dataset, question);
  return steps.map((step) => {
    const part = attendedPart(dataset, graph, prediction, { destination, step });
    return graphSvg(part!, `${title}: ${stepTitle(step, last)}`);
  });
}

/** What the test split says; undefined for a question that it does not ask. */
function answerOf({ examples: { test } }: Dataset, { source, query }: Question): number | undefined {
  const example = test.sources.findIndex(
    (each, i) => each === source && (query === undefined || test.queries?.[i] === query),
  );
  return example < 0 ? undefined : test.destinations[example];
}
