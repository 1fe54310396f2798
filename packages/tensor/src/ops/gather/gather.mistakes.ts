import { rowIndex } from '../../core/row-index.ts';
import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { gatherSum } from './gather-sum.op.ts';
import { gather, scatterAdd } from './gather.op.ts';

export const gatherMistakes = {
  gather: [
    [
      () => gather(floats(3, 2), rowIndex([0], 2)),
      'shape',
      'gather: index must point into 3 rows (x.shape[0]), got an index into 2; x is float32 [3, 2]',
    ],
    [() => gather(floats(), rowIndex([], 0)), 'shape', 'gather: x must have at least 1 axes, got float32 []'],
  ],
  scatterAdd: [
    [
      () => scatterAdd(floats(3, 2), rowIndex([1, 0], 4)),
      'shape',
      'scatterAdd: index must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [
      () => scatterAdd(floats(3, 2), rowIndex([0, 1], 4)),
      'shape',
      'scatterAdd: index must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [() => scatterAdd(ints(2), rowIndex([1, 0], 4)), 'dtype', 'scatterAdd: x must be float32, got int32 [2]'],
  ],
  gatherSum: [
    [
      () => gatherSum(floats(2, 3), rowIndex([0], 2), rowIndex([0, 1], 2)),
      'shape',
      "gatherSum: expected one 'to' for each 'from', got 2 for 1",
    ],
    [
      () => gatherSum(floats(2, 3), rowIndex([0], 4), rowIndex([0], 2)),
      'shape',
      'gatherSum: from must point into 2 rows (x.shape[0]), got an index into 4; x is float32 [2, 3]',
    ],
  ],
} satisfies Record<string, Mistakes>;
