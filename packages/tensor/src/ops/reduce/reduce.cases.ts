import type { NdArray } from '../../core/dtype.ts';
import type { Shape } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, randomIds, summation, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCase, OpCases } from '../../testing/op-case.ts';
import { argmax } from './argmax.op.ts';
import { max } from './max.op.ts';
import { mean, sum, sumTo } from './sum.op.ts';
import type { ReduceOptions } from './sum.op.ts';

type Reduce = (x: Tensor, axes?: number | Shape, options?: ReduceOptions) => Tensor;

const whole = values(randomIds(12, 100), [3, 4], 'int32');

function cases(run: Reduce): OpCase[] {
  const on = (name: string, input: NdArray, axes?: number | Shape, keepDims = false): OpCase => ({
    name,
    inputs: [input],
    run: ([x]) => run(x, axes, { keepDims }),
    ...(input.data.length > 100 && { noGradient: large }),
  });
  return [
    on('all axes', random([3, 4])),
    on('a scalar', random([])),
    on('the last axis', random([3, 5]), -1),
    on('the first axis', random([3, 5]), 0),
    on('a middle axis, kept', random([2, 3, 4]), 1, true),
    on('two axes apart', random([2, 3, 4]), [0, 2]),
    on('two axes apart, kept', random([2, 3, 2, 2]), [1, 3], true),
    on('no axes', random([2, 3]), []),
    on('no rows', random([0, 3]), 1),
    on('whole numbers', whole, 0),
    on('whole numbers in rows of four', whole, 1),
    on('rows of four', random([3, 4]), 1),
    on('rows of eight', random([3, 8]), 1),
    on('rows of one', random([3, 1]), 1),
    on('four rows of five columns', random([4, 5]), 0),
    on('columns of eight', random([3, 8]), 0),
    on('columns of twelve in the middle', random([2, 3, 12]), 1),
    on('no rows of four', random([0, 4]), 1),
    on('one long row', random([20011])),
    on('one long row of whole fours', random([20012])),
    on('long rows of whole fours', random([3, 8200]), 1),
    on('long columns of whole fours', random([2051, 8]), 0),
    on('long columns', random([2051, 9]), 0),
    on('many columns', random([7, 3001]), 0),
    on('many columns of whole fours', random([7, 3004]), 0),
    on('many rows of whole fours', random([3001, 8]), 1),
    on('many rows', random([12_001, 7]), 1),
  ];
}

const forEach = (shape: Shape, visit: (index: number[], flat: number) => void): void => {
  const size = shape.reduce((a, b) => a * b, 1);
  for (let flat = 0; flat < size; flat++) {
    const index: number[] = [];
    for (let axis = shape.length - 1, rest = flat; axis >= 0; axis--) {
      index.unshift(rest % shape[axis]);
      rest = Math.floor(rest / shape[axis]);
    }
    visit(index, flat);
  }
};

const limits = [
  [1, NaN, 2, 3],
  [Infinity, 0, 1, 2],
  [0, 1, -Infinity, 2],
  [3, 2, 1, -Infinity],
];

/** A one at each place of a row in turn, in a length that is no multiple of four. */
const places = Array.from({ length: 7 }, (_, row) =>
  Array.from({ length: 7 }, (_, column) => Number(row === column)),
);

export const reduceCases = {
  sum: {
    tolerance: { absolute: 2e-4, relative: 2e-5 },
    cases: [
      { name: 'an empty axis', inputs: [random([3, 0])], run: ([x]) => sum(x, 1) },
      { name: 'an empty axis before rows of four', inputs: [random([0, 4])], run: ([x]) => sum(x, 0) },
      ...[0, 1].map((axis) => ({
        name: `NaN and infinities in fours, axis ${axis}`,
        inputs: [values(limits.flat(), [4, 4])],
        run: ([x]: readonly Tensor[]) => sum(x, axis),
        noGradient: nonFinite,
      })),
      ...cases(sum),
    ],
  },
  max: {
    tolerance: 'exact',
    cases: [
      ...cases(max),
      {
        name: 'infinities',
        inputs: [values([-Infinity, -Infinity])],
        run: ([x]) => max(x),
        noGradient: nonFinite,
      },
      { name: 'NaN', inputs: [values([1, NaN, 2])], run: ([x]) => max(x), noGradient: nonFinite },
      ...[0, 1].map((axis) => ({
        name: `NaN and infinities in fours, axis ${axis}`,
        inputs: [values(limits.flat(), [4, 4])],
        run: ([x]: readonly Tensor[]) => max(x, axis),
        noGradient: nonFinite,
      })),
    ],
  },
  argmax: {
    tolerance: 'exact',
    cases: [
      { name: 'the last axis', inputs: [random([4, 5])], run: ([x]) => argmax(x) },
      { name: 'the first axis', inputs: [random([4, 5])], run: ([x]) => argmax(x, 0) },
      { name: 'equal values', inputs: [values([1, 3, 3, 2])], run: ([x]) => argmax(x) },
      { name: 'NaN', inputs: [values([1, NaN, 3, NaN])], run: ([x]) => argmax(x) },
      { name: 'NaN in front', inputs: [values([NaN, 5])], run: ([x]) => argmax(x) },
      { name: 'only −Infinity', inputs: [values([-Infinity, -Infinity])], run: ([x]) => argmax(x) },
      ...[0, 1].map((axis) => ({
        name: `the largest at every place of axis ${axis}`,
        inputs: [values(places.flat(), [7, 7])],
        run: ([x]: readonly Tensor[]) => argmax(x, axis),
      })),
      ...[0, 1].map((axis) => ({
        name: `the largest whole number at every place of axis ${axis}`,
        inputs: [values(places.flat(), [7, 7], 'int32')],
        run: ([x]: readonly Tensor[]) => argmax(x, axis),
      })),
      { name: 'whole numbers', inputs: [whole], run: ([x]) => argmax(x, 0) },
      { name: 'one long row', inputs: [random([20011])], run: ([x]) => argmax(x) },
      { name: 'no rows', inputs: [random([0, 3])], run: ([x]) => argmax(x) },
    ],
  },
} satisfies Record<string, OpCases>;

export const composedReduceCases = {
  mean: {
    tolerance: summation,
    cases: [
      {
        name: 'rows',
        inputs: [random([3, 4])],
        run: ([x]) => mean(x, 1),
        expected: ([x]) =>
          [0, 1, 2].map((r) => [0, 1, 2, 3].reduce((total, c) => total + x.data[r * 4 + c], 0) / 4),
      },
      {
        name: 'everything',
        inputs: [random([2, 3])],
        run: ([x]) => mean(x),
        expected: ([x]) => [Array.from(x.data).reduce((a, b) => a + b, 0) / 6],
      },
    ],
  },
  sumTo: {
    tolerance: summation,
    cases: [
      {
        name: 'a shape with a new and a repeated axis',
        inputs: [random([2, 3, 4])],
        run: ([x]) => sumTo(x, [3, 1]),
        expected: ([x]) => {
          const totals = [0, 0, 0];
          forEach(x.shape, ([, row], flat) => (totals[row] += x.data[flat]));
          return totals;
        },
      },
    ],
  },
} satisfies Record<string, ComposedCases>;
