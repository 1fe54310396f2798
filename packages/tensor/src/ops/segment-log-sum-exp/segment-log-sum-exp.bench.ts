import type { BenchCase } from '../../bench/bench-case.ts';
import { reduced, senders } from '../../bench/graph-case.ts';
import { segmentLogSumExp } from './segment-log-sum-exp.op.ts';

export const segmentLogSumExpBench = {
  segmentLogSumExp: reduced(segmentLogSumExp, senders),
} satisfies Record<string, readonly BenchCase[]>;
