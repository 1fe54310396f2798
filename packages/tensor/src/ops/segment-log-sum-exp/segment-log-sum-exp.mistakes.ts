import { rowIndex, segments } from '../../core/row-index.ts';
import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { segmentLogSumExp } from './segment-log-sum-exp.op.ts';

export const segmentLogSumExpMistakes = {
  segmentLogSumExp: [
    [
      () => segmentLogSumExp(floats(3, 2), segments([0, 1], 2)),
      'shape',
      'segmentLogSumExp: segments must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [
      () => segmentLogSumExp(floats(2), rowIndex([1, 0], 2)),
      'index',
      'segmentLogSumExp: expected ids that never decrease, got 1 then 0 at 1 (scatterAdd takes any order; or sort the rows first)',
    ],
    [
      () => segmentLogSumExp(ints(2), segments([0, 1], 2)),
      'dtype',
      'segmentLogSumExp: x must be float32, got int32 [2]',
    ],
  ],
} satisfies Record<string, Mistakes>;
