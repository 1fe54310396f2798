/** Values that are lists: `1..5,9`, names separated by commas. */
import { UsageError } from '../usage-error.ts';

const mostInRange = 10_000;

/** Words between commas. */
export function parseWords(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.some((word) => word === '')) {
    throw new UsageError(`expected words separated by commas, got '${text}'`);
  }
  return words;
}

/** `1..5`, `3`, `1..3,7`: whole numbers, each once. */
export function parseSeeds(text: string): number[] {
  const seeds = parseWords(text).flatMap((part) => {
    const range = /^(\d+)(?:\.\.(\d+))?$/.exec(part);
    const first = Number(range?.[1] ?? NaN);
    const last = Number(range?.[2] ?? range?.[1] ?? NaN);
    if (!(first <= last && last <= 0xffffffff)) {
      throw new UsageError(`expected whole numbers such as 3, 1..20 or 1..3,7, got '${text}'`);
    }
    if (last - first >= mostInRange) {
      throw new UsageError(`expected at most ${mostInRange} numbers, got ${last - first + 1} in '${text}'`);
    }
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  return [...new Set(seeds)];
}
