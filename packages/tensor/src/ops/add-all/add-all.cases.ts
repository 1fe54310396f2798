import { large, random, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { addAll } from './add-all.op.ts';

const terms = (
  name: string,
  shape: readonly number[],
  given: readonly (readonly number[])[],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: given.map((of) => random(of)),
  run: (inputs) => addAll(inputs, shape),
  ...(noGradient !== undefined && { noGradient }),
});

const many = Array.from({ length: 17 }, (_, i) => (i % 3 === 1 ? [5, 7, 9] : [7, 9]));

export const addAllCases = {
  addAll: {
    tolerance: summation,
    cases: [
      terms('one term', [2, 3], [[2, 3]]),
      terms('three terms', [2, 2], new Array<number[]>(3).fill([2, 2])),
      terms(
        'no values',
        [0, 3],
        [
          [0, 3],
          [2, 0, 3],
        ],
      ),
      terms('an empty stack beside a term', [3], [[0, 3], [3]]),
      terms('scalars and a stack of them', [], [[], [3], []]),
      terms('stacks of odd size', [3], [[2, 3], [3], [4, 3]]),
      terms('more than one dispatch takes', [7, 9], many, large),
      terms(
        'stacks in several workgroups',
        [40, 120],
        [
          [16, 40, 120],
          [40, 120],
          [3, 40, 120],
        ],
        large,
      ),
    ],
  },
} satisfies Record<string, OpCases>;
