import type { BenchCase } from '../../bench/bench-case.ts';
import { over } from '../../bench/rows-case.ts';
import { fill } from './fill.op.ts';

export const fillBench = {
  fill: over(
    ([x]) => fill({ shape: x.shape, dtype: 'float32', value: 1 }),
    () => [],
  ),
} satisfies Record<string, readonly BenchCase[]>;
