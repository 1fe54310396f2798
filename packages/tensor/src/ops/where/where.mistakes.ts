import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { less } from '../elementwise/binary.op.ts';
import { where } from './where.op.ts';

export const whereMistakes = {
  where: [
    [() => where(floats(2), floats(2), floats(2)), 'dtype', 'where: mask must be bool, got float32 [2]'],
    [
      () => where(less(floats(2), 1), floats(2), ints(2)),
      'dtype',
      'where: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
    [
      () => where(less(floats(2), 1), floats(3), floats(3)),
      'shape',
      'where: expected shapes that broadcast, got [2] and [3] (axis −1: 2 against 3)',
    ],
  ],
} satisfies Record<string, Mistakes>;
