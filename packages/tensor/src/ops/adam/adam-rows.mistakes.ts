import { rowIndex } from '../../core/row-index.ts';
import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { parameter } from '../grad/grad.ts';
import { adamRows } from './adam-rows.op.ts';

const start = () => parameter(floats(3, 2));
const moments = () => ({ first: start(), second: start() });
const index = (...ids: number[]) => rowIndex(ids, 3);

export const adamRowsMistakes = {
  adamRows: [
    [
      () => adamRows(start(), moments(), { index: index(1, 2, 1), missed: ints(3) }, { rates: floats(1, 3) }),
      'index',
      'adamRows: expected every row once, got 1 twice',
    ],
    [
      () => adamRows(floats(3, 2), moments(), { index: index(1), missed: ints(1) }, { rates: floats(1, 3) }),
      'option',
      'adamRows: parameter must be a parameter, got a constant tensor (make it with parameter())',
    ],
    [
      () =>
        adamRows(
          start(),
          moments(),
          { index: index(1), missed: ints(1), gradient: floats(3, 2) },
          { rates: floats(1, 3) },
        ),
      'shape',
      'adamRows: gradient must have shape [1, 2], got float32 [3, 2]',
    ],
    [
      () => adamRows(start(), moments(), { index: index(1), missed: ints(2) }, { rates: floats(1, 3) }),
      'shape',
      'adamRows: missed must have shape [1], got int32 [2]',
    ],
  ],
} satisfies Record<string, Mistakes>;
