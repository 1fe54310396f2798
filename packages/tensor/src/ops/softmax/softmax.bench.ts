import { width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { over } from '../../bench/rows-case.ts';
import { logSoftmax, softmax } from './softmax.op.ts';

export const softmaxBench = {
  softmax: over(
    ([x]) => softmax(x),
    (nodes) => [nodes, width],
  ),
  logSoftmax: over(
    ([x]) => logSoftmax(x),
    (nodes) => [nodes, width],
  ),
} satisfies Record<string, readonly BenchCase[]>;
