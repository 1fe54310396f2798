import { rowIndex } from '../../core/row-index.ts';
import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { gatherPair } from './gather-pair.op.ts';

export const scatterAllMistakes = {
  gatherPair: [
    [
      () => gatherPair(floats(2, 3), rowIndex([0], 2), rowIndex([2], 3)),
      'shape',
      'gatherPair: index 1 must point into 2 rows (x.shape[0]), got an index into 3; x is float32 [2, 3]',
    ],
  ],
  scatterAddAll: calledByBackwardOf('gatherPair'),
} satisfies Record<string, Mistakes>;
