import { rowIndex } from '../../core/row-index.ts';
import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { typedLinear, typedOuter } from './typed-linear.op.ts';

export const typedLinearMistakes = {
  typedLinear: [
    [
      () => typedLinear(floats(2, 3), floats(1, 2, 2), rowIndex([0, 0], 1)),
      'shape',
      'typedLinear: weight must have shape [1, 3, ·], got float32 [1, 2, 2]',
    ],
    [
      () => typedLinear(floats(2, 3), floats(1, 3, 2), rowIndex([0], 1)),
      'shape',
      'typedLinear: types must have length 2 (x.shape[0]), got 1 ids; x is float32 [2, 3]',
    ],
    [
      () => typedLinear(floats(1, 3), floats(1, 3, 2), rowIndex([0], 1), floats(2)),
      'shape',
      'typedLinear: bias must have shape [1, 2], got float32 [2]',
    ],
  ],
  typedOuter: [
    [
      () => typedOuter(floats(2, 3), floats(3, 3), rowIndex([0, 0], 1)),
      'shape',
      'typedOuter: b must have shape [2, ·], got float32 [3, 3]',
    ],
  ],
} satisfies Record<string, Mistakes>;
