import type { BenchCase } from '../../bench/bench-case.ts';
import { two } from '../../bench/rows-case.ts';
import { addAll } from './add-all.op.ts';

export const addAllBench = {
  addAll: two((a, b) => addAll([a, b], a.shape)),
} satisfies Record<string, readonly BenchCase[]>;
