import { rowIndex } from '../../core/row-index.ts';
import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { gatherTanh } from './gather-tanh.op.ts';

export const gatherTanhMistakes = {
  gatherTanh: [
    [
      () =>
        gatherTanh([
          { x: floats(2, 3), index: rowIndex([0, 1], 2) },
          { x: floats(2, 3), index: rowIndex([0], 2) },
        ]),
      'shape',
      'gatherTanh: expected a row of x 1 for each of x 0, got 1 for 2',
    ],
    [
      () =>
        gatherTanh([
          { x: floats(2, 3), index: rowIndex([0], 2) },
          { x: floats(2, 4), index: rowIndex([0], 2) },
        ]),
      'shape',
      'gatherTanh: x 1 must have shape [·, 3], got float32 [2, 4]',
    ],
    [
      () =>
        gatherTanh([
          { x: floats(2, 3), index: rowIndex([0], 2) },
          { x: floats(2, 3), index: rowIndex([2], 3) },
        ]),
      'shape',
      'gatherTanh: index 1 must point into 2 rows (x.shape[0]), got an index into 3; x is float32 [2, 3]',
    ],
  ],
} satisfies Record<string, Mistakes>;
