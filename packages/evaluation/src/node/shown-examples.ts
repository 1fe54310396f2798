import type { Examples } from '@flowgrad/data';
import { mostQuestions } from '../run/attended-part.ts';

/**
 * Which examples a run shows the attention of. First the longest walk, which shows most, of equals the first; then the
 * first that ask something else or, where nothing is asked, that start elsewhere. All runs on a dataset show the same.
 */
export function shownExamples({ count, sources, queries, path }: Examples): number[] {
  const examples = Array.from({ length: count }, (_, example) => example);
  const lengths = examples.map((example) => path?.(example).length ?? 0);
  const longest = examples.reduce((best, example) => (lengths[example] > lengths[best] ? example : best), 0);
  const kindOf = (example: number): number => (queries ?? sources)[example];
  const shown = [longest];
  for (const example of examples) {
    if (shown.length === mostQuestions) break;
    if (shown.every((other) => kindOf(other) !== kindOf(example))) shown.push(example);
  }
  return shown;
}
