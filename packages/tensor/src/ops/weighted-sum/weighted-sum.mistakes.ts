import { rowIndex } from '../../core/row-index.ts';
import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { gatherDot, gatherMul, weightedSum } from './weighted-sum.op.ts';

export const weightedSumMistakes = {
  gatherMul: [
    [
      () => gatherMul(floats(2), floats(3), { yRows: rowIndex([0, 1, 2], 3) }),
      'shape',
      'gatherMul: expected a row of y for each of x, got 3 for 2',
    ],
  ],
  gatherDot: [
    [
      () => gatherDot(floats(2, 3), floats(3, 3), { xRows: rowIndex([0, 1], 2) }),
      'shape',
      'gatherDot: expected a row of y for each of x, got 3 for 2',
    ],
    [
      () => gatherDot(floats(2, 3), floats(2, 3), { xRows: rowIndex([0, 1], 2), heads: [2] }),
      'shape',
      'gatherDot: expected rows of x that 2 heads divide evenly, got [2, 3]',
    ],
  ],
  weightedSum: [
    [
      () => weightedSum(floats(2), floats(3, 4), { to: rowIndex([0, 0, 1], 2) }),
      'shape',
      'weightedSum: expected a weight and a row of x for each of 3 entries, got 2 and 3',
    ],
    [
      () => weightedSum(floats(3, 3), floats(3, 4), { to: rowIndex([0, 0, 1], 2) }),
      'shape',
      'weightedSum: expected rows of x that 3 heads divide evenly, got [3, 4]',
    ],
  ],
} satisfies Record<string, Mistakes>;
