import type { Flag } from './flag.ts';
import { parseSeeds } from './lists.ts';

export const seedsFlag = (initial: string): Flag<number[]> => ({
  value: '1..20',
  about: `seeds of the datasets (default ${initial})`,
  initial: parseSeeds(initial),
  parse: parseSeeds,
});

/** `seeds 1..20`, `seeds 1, 2, 7`. */
export function seedsText(seeds: readonly number[]): string {
  const isRange = seeds.length > 2 && seeds.every((seed, i) => seed === seeds[0] + i);
  const list = isRange ? `${seeds[0]}..${seeds[seeds.length - 1]}` : seeds.join(', ');
  return `${seeds.length === 1 ? 'seed' : 'seeds'} ${list}`;
}
