import { rowIndex } from '../../core/row-index.ts';
import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { attendedSum } from './attended-sum.op.ts';

const messages = () => ({ from: rowIndex([0, 1], 2), into: rowIndex([0, 0], 1) });

export const attendedSumMistakes = {
  attendedSum: [
    [
      () =>
        attendedSum(floats(2, 3), {
          ...messages(),
          weights: floats(2),
          bias: floats(3),
          into: rowIndex([0], 1),
        }),
      'shape',
      "attendedSum: expected one 'into' for each 'from', got 1 for 2",
    ],
    [
      () => attendedSum(floats(2, 4), { ...messages(), weights: floats(2, 2), bias: floats(4) }),
      'shape',
      'attendedSum: bias must have shape [2], got float32 [4]',
    ],
  ],
  attendedSumGrad: calledByBackwardOf('attendedSum'),
  attendedBiasGrad: calledByBackwardOf('attendedSum'),
} satisfies Record<string, Mistakes>;
