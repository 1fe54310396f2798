/** Benchmark cases of every op, for measuring kernels on any backend: at least three sizes of each, smallest first. */
export { benchCases } from '../ops/generated/all.bench.ts';
export { noise, noiseIds, sortedNoiseIds } from './bench-case.ts';
export type { BenchCase, BenchRun } from './bench-case.ts';
