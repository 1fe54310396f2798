import type { BenchCase } from '../../bench/bench-case.ts';
import { one } from '../../bench/rows-case.ts';
import { cast } from './cast.op.ts';

export const castBench = {
  cast: one((x) => cast(x, 'int32')),
} satisfies Record<string, readonly BenchCase[]>;
