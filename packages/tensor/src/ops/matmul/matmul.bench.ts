import { bytesOf, noise } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { matmul } from './matmul.op.ts';

/** [n, k] × [k, m] */
const product = (n: number, k: number, m: number): BenchCase => ({
  name: `[${n}, ${k}] × [${k}, ${m}]`,
  inputs: () => [noise([n, k]), noise([k, m])],
  prepare:
    () =>
    ([a, b]) =>
      matmul(a, b),
  flops: 2 * n * k * m,
  bytes: bytesOf([n, k], [k, m], [n, m]),
});

export const matmulBench = {
  matmul: [product(64, 64, 64), product(921, 120, 80), product(14736, 40, 360), product(14736, 120, 80)],
} satisfies Record<string, readonly BenchCase[]>;
