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

/** `0.8,0.1,0.1`: three parts of a whole. */
export function parseShares(text: string): [number, number, number] {
  const shares = parseWords(text).map(Number);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (shares.length === 3 && shares.every((share) => share > 0) && Math.abs(sum - 1) < 1e-6) {
    return shares as [number, number, number];
  }
  throw new UsageError(`expected three parts above 0 whose sum is 1, such as 0.8,0.1,0.1, got '${text}'`);
}
