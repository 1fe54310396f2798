import { large, random, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { linear, linearWeightGradOp } from './linear.op.ts';

const sizes = [
  [3, 4, 5],
  [1, 1, 1],
  [0, 3, 2],
  [4, 8, 12],
  [67, 33, 130],
  [1100, 40, 120],
] as const;

const affine = ([n, k, m]: readonly [number, number, number]): OpCase => ({
  name: `[${n}, ${k}] × [${k}, ${m}] and a bias`,
  inputs: [random([n, k]), random([k, m]), random([m])],
  run: ([x, weight, bias]) => linear(x, weight, bias),
  ...(n * m > 60 && { noGradient: large }),
});

const weights = (n: number, m: number, ...widths: readonly number[]): OpCase => ({
  name: `${n} rows of ${widths.join(' + ')}, ${m} outputs`,
  inputs: [...widths.map((width) => random([n, width])), random([n, m])],
  run: (inputs) =>
    Object.values(linearWeightGradOp.apply({ xs: inputs.slice(0, -1), dy: inputs.at(-1)! }, {})),
});

export const linearCases = {
  linear: {
    tolerance: summation,
    noSecondOrder: 'fused: its backward kernel has no gradient',
    cases: sizes.map(affine),
  },
  linearWeightGrad: {
    tolerance: { absolute: 2e-4, relative: 2e-5 },
    cases: [
      weights(3, 2, 4),
      weights(0, 2, 3, 1),
      weights(7, 5, 3, 1, 2),
      weights(130, 80, 40, 40, 40),
      weights(600, 33, 65, 13),
      weights(9001, 12, 8, 4),
    ],
  },
} satisfies Record<string, OpCases>;
