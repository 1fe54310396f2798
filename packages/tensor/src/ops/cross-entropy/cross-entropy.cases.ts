import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds } from '../../testing/op-case.ts';
import type { ComposedCases } from '../../testing/op-case.ts';
import { crossEntropy } from './cross-entropy.ts';

const labels = [2, 0, 2, 1];
const manyLabels = randomIds(200, 31);

/** −log(e^x_label / Σ e^x), word for word. */
const byDefinition = (data: ArrayLike<number>, classes: number, ids: readonly number[]): number[] =>
  ids.map((label, row) => {
    const exps = Array.from({ length: classes }, (_, c) => Math.exp(data[row * classes + c]));
    return -Math.log(exps[label] / exps.reduce((a, b) => a + b, 0));
  });

export const composedCrossEntropyCases = {
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
