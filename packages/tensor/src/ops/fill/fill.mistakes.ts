import type { Mistakes } from '../../testing/mistake.ts';
import { full } from '../../create/create.ts';

export const fillMistakes = {
  fill: [
    [() => full([2, -1], 0), 'shape', 'fill: shape must be whole numbers ≥ 0, got [2, -1]'],
    [() => full([2], 0.5, { dtype: 'int32' }), 'dtype', 'fill: expected a value that is int32, got 0.5'],
    [() => full([2], 2, { dtype: 'bool' }), 'dtype', 'fill: expected a value that is bool, got 2'],
  ],
} satisfies Record<string, Mistakes>;
