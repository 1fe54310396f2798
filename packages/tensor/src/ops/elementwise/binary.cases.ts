import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, randomIds, rounding, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import * as ops from './binary.op.ts';

type Binary = (a: Tensor, b: Tensor) => Tensor;

function on(run: Binary, name: string, inputs: OpCase['inputs'], noGradient?: string): OpCase {
  return { name, inputs, run: ([a, b]) => run(a, b), ...(noGradient !== undefined && { noGradient }) };
}

/** The corners of broadcasting, with operands drawn from where the function is smooth. */
function floats(run: Binary, min = -2, max = 2): OpCase[] {
  const x = (...shape: number[]): OpCase['inputs'][number] => random(shape, min, max);
  return [
    on(run, 'equal shapes', [x(3, 4), x(3, 4)]),
    on(run, 'a row beside a matrix', [x(3, 4), x(4)]),
    on(run, 'a column beside a row', [x(3, 1), x(1, 4)]),
    on(run, 'a scalar on the left', [x(), x(2, 3)]),
    on(run, 'axes repeated on both sides', [x(2, 1, 3), x(4, 1)]),
    on(run, 'rows that lie in fours and columns that repeat', [x(2, 8), x(3, 1, 8)]),
    on(run, 'a column beside rows of four', [x(3, 4), x(3, 1)]),
    on(run, 'no values', [x(0, 3), x(1, 3)]),
    on(run, 'several workgroups', [x(67, 129), x(129)], large),
    on(run, 'several workgroups of whole fours', [x(67, 1), x(67, 128)], large),
    on(run, 'a repeated middle axis', [x(9, 40, 33), x(9, 1, 33)], large),
  ];
}

const whole = (shape: readonly number[]): OpCase['inputs'][number] =>
  values(
    randomIds(
      shape.reduce((a, b) => a * b, 1),
      9,
    ).map((n) => n - 4),
    shape,
    'int32',
  );

const integers = (run: Binary): OpCase[] => [on(run, 'whole numbers', [whole([3, 4]), whole([4])])];

const wrap = (run: Binary): OpCase =>
  on(run, 'whole numbers past the range', [
    values([2 ** 31 - 1, -(2 ** 31), 123456789], [3], 'int32'),
    values([2, -1, 987654321], [3], 'int32'),
  ]);

const comparisons = (run: Binary): OpCases => ({
  tolerance: 'exact',
  cases: [
    ...floats(run),
    ...integers(run),
    on(run, 'equal values', [values([1, 2, 3]), values([1, 5, 3])], 'not differentiable'),
    on(run, 'NaN', [values([NaN, NaN, 1]), values([NaN, 1, NaN])], nonFinite),
    on(run, 'masks', [values([0, 0, 1, 1], [4], 'bool'), values([0, 1, 0, 1], [4], 'bool')]),
  ],
});

const infinite = (run: Binary): OpCase =>
  on(run, 'infinities and NaN', [values([Infinity, -Infinity, NaN, 1]), values([1, 2, 3, NaN])], nonFinite);

export const binaryCases = {
  tanhGrad: { tolerance: rounding, cases: [...floats(ops.tanhGrad), infinite(ops.tanhGrad)] },
  add: {
    tolerance: rounding,
    cases: [...floats(ops.add), ...integers(ops.add), wrap(ops.add), infinite(ops.add)],
  },
  sub: { tolerance: rounding, cases: [...floats(ops.sub), ...integers(ops.sub), wrap(ops.sub)] },
  mul: {
    tolerance: rounding,
    cases: [...floats(ops.mul), ...integers(ops.mul), wrap(ops.mul), infinite(ops.mul)],
  },
  div: {
    tolerance: rounding,
    cases: [
      ...floats(ops.div, 0.5, 2),
      on(ops.div, 'a zero divisor', [values([1, -1, 0]), values([0, 0, 0])], nonFinite),
    ],
  },
  maximum: {
    tolerance: 'exact',
    cases: [...floats(ops.maximum), ...integers(ops.maximum), infinite(ops.maximum)],
  },
  minimum: {
    tolerance: 'exact',
    cases: [...floats(ops.minimum), ...integers(ops.minimum), infinite(ops.minimum)],
  },
  pow: {
    tolerance: { absolute: 1e-5, relative: 1e-5 },
    cases: [
      ...floats(ops.pow, 0.5, 2),
      on(
        ops.pow,
        'a zero base or exponent',
        [values([0, 0, 2, 1]), values([2, 0, 0, 1])],
        'at the end of the domain',
      ),
    ],
  },
  equal: comparisons(ops.equal),
  notEqual: comparisons(ops.notEqual),
  less: comparisons(ops.less),
  lessEqual: comparisons(ops.lessEqual),
  greater: comparisons(ops.greater),
  greaterEqual: comparisons(ops.greaterEqual),
} satisfies Record<string, OpCases>;
