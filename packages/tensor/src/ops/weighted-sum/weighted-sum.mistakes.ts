import { rowIndex } from '../../core/row-index.ts';
import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { gatherMul } from './weighted-sum.op.ts';

export const weightedSumMistakes = {
  gatherMul: [
    [
      () => gatherMul(floats(2), floats(3), { yRows: rowIndex([0, 1, 2], 3) }),
      'shape',
      'gatherMul: expected a row of y for each of x, got 3 for 2',
    ],
  ],
  weightedSum: calledByBackwardOf('gatherMul'),
} satisfies Record<string, Mistakes>;
