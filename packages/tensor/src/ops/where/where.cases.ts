import { large, nonFinite, random, randomIds, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { where } from './where.op.ts';

const mask = (...shape: readonly number[]): OpCase['inputs'][number] =>
  values(
    randomIds(
      shape.reduce((a, b) => a * b, 1),
      2,
    ),
    shape,
    'bool',
  );
const x = (...shape: number[]): OpCase['inputs'][number] => random(shape);

const on = (name: string, inputs: OpCase['inputs'], noGradient?: string): OpCase => ({
  name,
  inputs,
  run: ([m, a, b]) => where(m, a, b),
  ...(noGradient !== undefined && { noGradient }),
});

export const whereCases = {
  where: {
    tolerance: 'exact',
    cases: [
      on('equal shapes', [mask(3, 4), x(3, 4), x(3, 4)]),
      on('a mask column', [mask(3, 1), x(3, 4), x(4)]),
      on('a mask wider than its branches', [mask(2, 3, 4), x(4), x()]),
      { name: 'a number', inputs: [mask(5), x(5)], run: ([m, a]) => where(m, a, 0) },
      { name: 'two numbers', inputs: [mask(5)], run: ([m]) => where(m, 1, -1) },
      on('whole numbers', [mask(4), values([1, 2, 3, 4], [4], 'int32'), values([5], [1], 'int32')]),
      on('no values', [mask(0), x(1), x(1)]),
      on('one value', [mask(1), x(1), x()]),
      // Operands that lie in fours, repeat one value, or do neither.
      on('rows of one', [mask(4, 1), x(1), x(4, 1)]),
      on('rows of three', [mask(2, 3), x(3), x(2, 3)]),
      on('rows of four', [mask(2, 4), x(4), x(2, 1)]),
      on('rows of five', [mask(2, 5), x(5), x(2, 1)]),
      on('rows of eight', [mask(8), x(3, 8), x(3, 1)]),
      on('three axes', [mask(2, 1, 4), x(2, 3, 1), x(1, 3, 4)]),
      on('four axes', [mask(2, 1, 2, 1), x(2, 4), x(3, 1, 1)]),
      on(
        'NaN and infinities',
        [mask(5), values([NaN, 1, Infinity, 2, NaN]), values([1, NaN, 2, -Infinity, 3])],
        nonFinite,
      ),
      on('several workgroups of whole fours', [mask(70, 1), x(70, 132), x(132)], large),
      on('several workgroups', [mask(127, 1), x(127, 131), x(131)], large),
    ],
  },
} satisfies Record<string, OpCases>;
