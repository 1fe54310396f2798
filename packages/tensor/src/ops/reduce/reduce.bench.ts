import { width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { over } from '../../bench/rows-case.ts';
import { argmax } from './argmax.op.ts';
import { max } from './max.op.ts';
import { sum } from './sum.op.ts';

export const reduceBench = {
  sum: over(
    ([x]) => sum(x, 0),
    () => [width],
  ),
  max: over(
    ([x]) => max(x, 1),
    (nodes) => [nodes],
  ),
  argmax: over(
    ([x]) => argmax(x, 1),
    (nodes) => [nodes],
  ),
} satisfies Record<string, readonly BenchCase[]>;
