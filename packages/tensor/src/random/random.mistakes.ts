import type { Mistakes } from '../testing/mistake.ts';
import { normal, uniform } from './distributions.ts';
import { randomKey } from './random-key.ts';

export const randomMistakes = {
  randomKey: [
    [() => randomKey(-1), 'option', 'randomKey: expected a whole number from 0 to 2⁵³ − 1, got -1'],
  ],
  uniform: [
    [
      () => uniform(randomKey(1), [2], { min: 1, max: 0 }),
      'option',
      'uniform: expected min ≤ max, got 1 and 0',
    ],
  ],
  normal: [
    [
      () => normal(randomKey(1), [2], { standardDeviation: -1 }),
      'option',
      'normal: standardDeviation must be ≥ 0, got -1',
    ],
  ],
} satisfies Record<string, Mistakes>;
