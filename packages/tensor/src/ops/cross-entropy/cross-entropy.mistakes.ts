import { rowIndex } from '../../core/row-index.ts';
import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { crossEntropy } from './cross-entropy.ts';

export const crossEntropyMistakes = {
  crossEntropy: [
    [
      () => crossEntropy(floats(2, 3), rowIndex([0, 1], 4)),
      'shape',
      'crossEntropy: logits must have shape [·, 4], got float32 [2, 3]',
    ],
    [
      () => crossEntropy(floats(2, 3), rowIndex([0], 3)),
      'shape',
      'crossEntropy: labels must have length 2 (x.shape[0]), got 1 ids; x is float32 [2, 3]',
    ],
    [
      () => crossEntropy(ints(1, 3), rowIndex([0], 3)),
      'dtype',
      'crossEntropy: logits must be float32, got int32 [1, 3]',
    ],
  ],
} satisfies Record<string, Mistakes>;
