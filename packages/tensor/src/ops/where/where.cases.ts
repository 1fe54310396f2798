import { large, random, randomIds, values } from '../../testing/op-case.ts';
import type { OpCases } from '../../testing/op-case.ts';
import { where } from './where.op.ts';

const mask = (shape: readonly number[]): ReturnType<typeof values> =>
  values(
    randomIds(
      shape.reduce((a, b) => a * b, 1),
      2,
    ),
    shape,
    'bool',
  );

export const whereCases = {
  where: {
    tolerance: 'exact',
    cases: [
      {
        name: 'equal shapes',
        inputs: [mask([3, 4]), random([3, 4]), random([3, 4])],
        run: ([m, a, b]) => where(m, a, b),
      },
      {
        name: 'a mask column',
        inputs: [mask([3, 1]), random([3, 4]), random([4])],
        run: ([m, a, b]) => where(m, a, b),
      },
      {
        name: 'a mask wider than its branches',
        inputs: [mask([2, 3, 4]), random([4]), random([])],
        run: ([m, a, b]) => where(m, a, b),
      },
      { name: 'a number', inputs: [mask([5]), random([5])], run: ([m, a]) => where(m, a, 0) },
      { name: 'two numbers', inputs: [mask([5])], run: ([m]) => where(m, 1, -1) },
      {
        name: 'whole numbers',
        inputs: [mask([4]), values([1, 2, 3, 4], [4], 'int32'), values([5], [1], 'int32')],
        run: ([m, a, b]) => where(m, a, b),
      },
      {
        name: 'no values',
        inputs: [mask([0]), random([1]), random([1])],
        run: ([m, a, b]) => where(m, a, b),
      },
      {
        name: 'several workgroups',
        inputs: [mask([70, 1]), random([70, 131]), random([131])],
        run: ([m, a, b]) => where(m, a, b),
        noGradient: large,
      },
    ],
  },
} satisfies Record<string, OpCases>;
