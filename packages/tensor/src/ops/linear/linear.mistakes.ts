import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { linear } from './linear.op.ts';

export const linearMistakes = {
  linear: [
    [
      () => linear(floats(2, 3), floats(4, 5), floats(5)),
      'shape',
      'linear: weight must have shape [3, ·], got float32 [4, 5]',
    ],
    [
      () => linear(floats(2, 3), floats(3, 5), floats(4)),
      'shape',
      'linear: bias must have shape [5], got float32 [4]',
    ],
  ],
  linearWeightGrad: calledByBackwardOf('linear'),
} satisfies Record<string, Mistakes>;
