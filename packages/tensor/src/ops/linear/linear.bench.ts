import { bytesOf, noise } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { linear, linearWeightGradOp } from './linear.op.ts';

const sizes = [
  [64, 64, 64],
  [921, 40, 360],
  [14736, 40, 360],
] as const;

export const linearBench = {
  linear: sizes.map(([n, k, m]) => ({
    name: `[${n}, ${k}] × [${k}, ${m}] and a bias`,
    inputs: () => [noise([n, k]), noise([k, m]), noise([m])],
    prepare:
      () =>
      ([x, weight, bias]) =>
        linear(x, weight, bias),
    flops: 2 * n * k * m,
    bytes: bytesOf([n, k], [k, m], [m], [n, m]),
  })),
  linearWeightGrad: sizes.map(([n, k, m]) => ({
    name: `[${n}, ${k}]ᵀ × [${n}, ${m}]`,
    inputs: () => [noise([n, k]), noise([n, m])],
    prepare:
      () =>
      ([x, dy]) =>
        Object.values(linearWeightGradOp.apply({ xs: [x], dy }, {})),
    flops: 2 * n * k * m,
    bytes: bytesOf([n, k], [n, m], [k, m]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
