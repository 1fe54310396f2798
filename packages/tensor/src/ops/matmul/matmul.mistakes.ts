import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { matmul } from './matmul.op.ts';

export const matmulMistakes = {
  matmul: [
    [
      () => matmul(floats(2, 3), floats(2, 3)),
      'shape',
      'matmul: expected inner extents that agree, got [2, 3] and [2, 3] (3 against 2)',
    ],
    [
      () => matmul(floats(2, 3), floats(2, 3), { transposeA: true, transposeB: true }),
      'shape',
      'matmul: expected inner extents that agree, got [2, 3]ᵀ and [2, 3]ᵀ (2 against 3)',
    ],
    [() => matmul(floats(3), floats(3, 2)), 'shape', 'matmul: a must have at least 2 axes, got float32 [3]'],
    [() => matmul(floats(2, 3), ints(3, 2)), 'dtype', 'matmul: b must be float32, got int32 [3, 2]'],
    [
      () => matmul(floats(2, 4, 3), floats(3, 3, 2)),
      'shape',
      'matmul: expected shapes that broadcast, got [2] and [3] (axis −1: 2 against 3)',
    ],
    [
      () => matmul(floats(2, 2), floats(2, 2), { transposeC: true } as object),
      'option',
      "matmul: expected options among transposeA, transposeB, got 'transposeC' (did you mean transposeA?)",
    ],
  ],
} satisfies Record<string, Mistakes>;
