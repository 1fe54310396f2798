import { rowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, randomIds, rounding, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCase, OpCases } from '../../testing/op-case.ts';
import { crossEntropy } from '../cross-entropy/cross-entropy.ts';
import { logSoftmax, softmax } from './softmax.op.ts';

const rowsWithLimits = [
  [0, 1, NaN, 2],
  [0, -Infinity, 1, 2],
  [0, 1, 2, Infinity],
  [-Infinity, -Infinity, -Infinity, -Infinity],
  [3, 2, 1, 0],
];

const cases = (run: (x: Tensor, axis?: number) => Tensor): OpCase[] => [
  { name: 'rows', inputs: [random([3, 4], -3, 3)], run: ([x]) => run(x) },
  { name: 'columns', inputs: [random([3, 4], -3, 3)], run: ([x]) => run(x, 0) },
  ...[1, 2, 3, 5, 8, 12].map((n) => ({
    name: `rows of ${n}`,
    inputs: [random([3, n], -3, 3)],
    run: ([x]: readonly Tensor[]) => run(x),
  })),
  { name: 'no rows', inputs: [random([0, 4])], run: ([x]) => run(x) },
  {
    name: 'large values',
    inputs: [values([1e4, 1e4 + 1, -1e4])],
    run: ([x]) => run(x),
    noGradient: nonFinite,
  },
  { name: 'an infinity', inputs: [values([-Infinity, 0, 1])], run: ([x]) => run(x), noGradient: nonFinite },
  { name: 'NaN', inputs: [values([NaN, 0, 1])], run: ([x]) => run(x), noGradient: nonFinite },
  {
    name: 'rows of four with NaN, an infinity or none',
    inputs: [values(rowsWithLimits.flat(), [5, 4])],
    run: ([x]) => run(x),
    noGradient: nonFinite,
  },
  { name: 'many rows', inputs: [random([1031, 17], -5, 5)], run: ([x]) => run(x), noGradient: large },
  {
    name: 'many rows of whole fours',
    inputs: [random([1031, 20], -5, 5)],
    run: ([x]) => run(x),
    noGradient: large,
  },
  {
    name: 'long rows of whole fours',
    // Only the true maximum keeps the exponentials finite.
    inputs: [random([3, 5004], -300, 300)],
    run: ([x]) => run(x),
    noGradient: large,
  },
  { name: 'long rows', inputs: [random([3, 5003], -5, 5)], run: ([x]) => run(x), noGradient: large },
];

export const softmaxCases = {
  softmax: { tolerance: rounding, cases: cases(softmax) },
  logSoftmax: { tolerance: { absolute: 1e-5, relative: 1e-5 }, cases: cases(logSoftmax) },
} satisfies Record<string, OpCases>;

const labels = [2, 0, 2, 1];
const manyLabels = randomIds(200, 31);

/** −log(e^x_label / Σ e^x), word for word. */
const byDefinition = (data: ArrayLike<number>, classes: number, ids: readonly number[]): number[] =>
  ids.map((label, row) => {
    const exps = Array.from({ length: classes }, (_, c) => Math.exp(data[row * classes + c]));
    return -Math.log(exps[label] / exps.reduce((a, b) => a + b, 0));
  });

export const composedSoftmaxCases = {
  crossEntropy: {
    tolerance: { absolute: 1e-5, relative: 1e-5 },
    cases: [
      {
        name: 'four rows',
        inputs: [random([4, 3], -2, 2)],
        run: ([x]) => crossEntropy(x, rowIndex(labels, 3)),
        expected: ([{ data }]) => byDefinition(data, 3, labels),
      },
      {
        name: 'many rows',
        inputs: [random([200, 31], -2, 2)],
        run: ([x]) => crossEntropy(x, rowIndex(manyLabels, 31)),
        expected: ([{ data }]) => byDefinition(data, 31, manyLabels),
        noGradient: large,
      },
      {
        name: 'no rows',
        inputs: [random([0, 3])],
        run: ([x]) => crossEntropy(x, rowIndex([], 3)),
        expected: () => [],
      },
    ],
  },
} satisfies Record<string, ComposedCases>;
