import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { less } from '../elementwise/binary.op.ts';
import { argmax } from './argmax.op.ts';
import { max } from './max.op.ts';
import { mean, sum } from './sum.op.ts';

export const reduceMistakes = {
  sum: [
    [() => sum(floats(2, 3), 2), 'axis', 'sum: axis must be in −2 … 1, got 2'],
    [() => sum(floats(2, 3), [0, -2]), 'axis', 'sum: axes must be distinct, got [0, -2]'],
    [() => sum(floats(), 0), 'axis', 'sum: axis must be in none: the tensor is a scalar, got 0'],
    [() => sum(less(floats(2), 1)), 'dtype', 'sum: x must be float32 or int32, got bool [2]'],
  ],
  max: [
    [() => max(floats(2, 0), 1), 'shape', 'max: expected at least one value to compare, got [2, 0]'],
    [() => max(floats(2), -3), 'axis', 'max: axis must be in −1 … 0, got -3'],
  ],
  argmax: [
    [() => argmax(floats(0)), 'shape', 'argmax: expected at least one value to compare, got [0]'],
    [() => argmax(floats(2), 1), 'axis', 'argmax: axis must be in −1 … 0, got 1'],
  ],
  mean: [[() => mean(ints(2)), 'dtype', 'mean: x must be float32, got int32 [2]']],
} satisfies Record<string, Mistakes>;
