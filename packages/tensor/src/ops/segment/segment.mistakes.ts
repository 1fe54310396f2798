import { rowIndex, segments } from '../../core/row-index.ts';
import { calledByBackwardOf, floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { segmentMax } from './segment-max.op.ts';
import { segmentSoftmax } from './segment-softmax.op.ts';
import { segmentMean, segmentSum } from './segment-sum.op.ts';

export const segmentMistakes = {
  segmentMean: [
    [
      () => segmentMean(floats(3, 2), segments([0, 1], 2)),
      'shape',
      'segmentMean: segments must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
  ],
  segmentSum: [
    [
      () => segmentSum(floats(3, 2), segments([0, 1], 2)),
      'shape',
      'segmentSum: segments must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [
      () => segmentSum(floats(2, 2), rowIndex([1, 0], 2)),
      'index',
      'segmentSum: expected ids that never decrease, got 1 then 0 at 1 (scatterAdd takes any order; or sort the rows first)',
    ],
    [() => segmentSum(ints(2), segments([0, 1], 2)), 'dtype', 'segmentSum: x must be float32, got int32 [2]'],
  ],
  segmentMax: [
    [
      () => segmentMax(floats(3, 2), segments([0], 1)),
      'shape',
      'segmentMax: segments must have length 3 (x.shape[0]), got 1 ids; x is float32 [3, 2]',
    ],
  ],
  segmentSoftmax: [
    [
      () => segmentSoftmax(floats(2), rowIndex([1, 0], 2)),
      'index',
      'segmentSoftmax: expected ids that never decrease, got 1 then 0 at 1 (scatterAdd takes any order; or sort the rows first)',
    ],
  ],
  segmentSoftmaxGrad: calledByBackwardOf('segmentSoftmax'),
} satisfies Record<string, Mistakes>;
