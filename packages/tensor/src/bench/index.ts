/** Benchmark cases of every op, for measuring kernels on any backend. */
import { elementwiseBench } from '../ops/elementwise/elementwise.bench.ts';
import { updateBench } from '../ops/gru-cell/update.bench.ts';
import { linearBench } from '../ops/linear/linear.bench.ts';
import { matmulBench } from '../ops/matmul/matmul.bench.ts';
import type { OpName } from '../ops/registry.ts';
import { graphBench } from '../ops/segment/graph.bench.ts';
import { movementBench } from '../ops/shape/movement.bench.ts';
import type { BenchCase } from './bench-case.ts';

/** At least three sizes of each op, smallest first. An op without any does not compile. */
export const benchCases: { readonly [Name in OpName]: readonly BenchCase[] } = {
  ...elementwiseBench,
  ...matmulBench,
  ...linearBench,
  ...movementBench,
  ...graphBench,
  ...updateBench,
};

export { noise, noiseIds, sortedNoiseIds } from './bench-case.ts';
export type { BenchCase, BenchRun } from './bench-case.ts';
