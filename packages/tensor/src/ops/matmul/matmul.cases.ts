import { large, random, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { matmul } from './matmul.op.ts';

const product = (
  name: string,
  a: readonly number[],
  b: readonly number[],
  options: { transposeA?: boolean; transposeB?: boolean } = {},
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random(a), random(b)],
  run: ([x, y]) => matmul(x, y, options),
  ...(noGradient !== undefined && { noGradient }),
});

const forms = [false, true].flatMap((transposeA) =>
  [false, true].map((transposeB) => ({ transposeA, transposeB })),
);

/** All four transpose forms of [n, k] × [k, m]. */
const allForms = (n: number, k: number, m: number, noGradient?: string): OpCase[] =>
  forms.map(({ transposeA, transposeB }) =>
    product(
      `[${n}, ${k}]${transposeA ? 'ᵀ' : ''} × [${k}, ${m}]${transposeB ? 'ᵀ' : ''}`,
      transposeA ? [k, n] : [n, k],
      transposeB ? [m, k] : [k, m],
      { transposeA, transposeB },
      noGradient,
    ),
  );

export const matmulCases = {
  matmul: {
    tolerance: summation,
    cases: [
      ...allForms(3, 4, 5),
      ...allForms(1, 1, 1),
      ...allForms(64, 64, 64, large),
      ...allForms(67, 129, 33, large),
      ...allForms(300, 40, 120, large),
      product('no rows', [0, 3], [3, 2]),
      product('an empty sum', [2, 0], [0, 3]),
      product('a batch', [2, 3, 4], [2, 4, 5]),
      product('a batch beside one matrix', [2, 3, 4], [4, 5]),
      product('batches that broadcast', [2, 1, 3, 4], [3, 4, 2]),
      product('a transposed batch', [2, 4, 3], [2, 5, 4], { transposeA: true, transposeB: true }),
      product('a long sum', [5, 3000], [3000, 7], {}, large),
    ],
  },
} satisfies Record<string, OpCases>;
