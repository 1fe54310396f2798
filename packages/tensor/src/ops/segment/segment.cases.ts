import { segments } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, rounding, sortedIds, summation, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCase, OpCases } from '../../testing/op-case.ts';
import { segmentMax } from './segment-max.op.ts';
import { segmentSoftmax, segmentSoftmaxGradOp } from './segment-softmax.op.ts';
import { segmentMean, segmentSum } from './segment-sum.op.ts';

type SegmentOp = (x: Tensor, index: RowIndex) => Tensor;

const hub = [
  ...sortedIds(200, 3),
  ...new Array<number>(10_000).fill(3),
  ...sortedIds(50, 4).map((id) => id + 4),
];

const longAmongShort = [...sortedIds(60, 20), ...new Array<number>(200).fill(20), 30, 39];

function cases(run: SegmentOp): OpCase[] {
  const on = (name: string, ids: readonly number[], count: number, row: readonly number[]): OpCase => ({
    name,
    inputs: [random([ids.length, ...row], -2, 2)],
    run: ([x]) => run(x, segments(ids, count)),
    ...(ids.length > 50 && { noGradient: large }),
  });
  return [
    on('three segments', [0, 0, 1, 2, 2, 2], 3, [2]),
    on('empty segments in front, between and behind', [1, 1, 3], 5, [2]),
    on('one entry', [0], 1, [3]),
    on('no entries', [], 2, [3]),
    on('no segments', [], 0, [3]),
    on('plain values', [0, 1, 1], 2, []),
    on('deeper rows', [0, 0, 1], 2, [2, 2]),
    on('rows of eight', [0, 0, 1, 3], 4, [8]),
    on('one segment of two hundred among short ones, in fours', longAmongShort, 40, [8]),
    on('many segments', sortedIds(7001, 913), 913, [40]),
    on('rows of odd width', sortedIds(1000, 77), 77, [13]),
    on('one column', sortedIds(5000, 600), 600, [1]),
    on('one segment of ten thousand', hub, 8, [5]),
  ];
}

const columnsWithLimits = [
  [0, NaN, 1, -Infinity],
  [1, 0, Infinity, -Infinity],
  [2, 1, 0, 3],
];

const extremes: OpCase['inputs'] = [values([1e4, 1e4 + 1, -1e4, 3, -Infinity, 0])];

export const segmentCases = {
  segmentSum: { tolerance: { absolute: 2e-4, relative: 2e-5 }, cases: cases(segmentSum) },
  segmentMax: {
    tolerance: 'exact',
    cases: [
      ...cases(segmentMax),
      {
        name: 'NaN',
        inputs: [values([1, NaN, 2])],
        run: ([x]) => segmentMax(x, segments([0, 0, 1], 2)),
        noGradient: nonFinite,
      },
    ],
  },
  segmentSoftmax: {
    tolerance: rounding,
    cases: [
      ...cases(segmentSoftmax),
      {
        name: 'large values and an infinity',
        inputs: extremes,
        run: ([x]) => segmentSoftmax(x, segments([0, 0, 0, 1, 2, 2], 3)),
        noGradient: nonFinite,
      },
      {
        // Only the true maximum keeps the exponentials finite.
        name: 'large values in a long segment',
        inputs: [random([longAmongShort.length, 8], -300, 300)],
        run: ([x]) => segmentSoftmax(x, segments(longAmongShort, 40)),
        noGradient: large,
      },
      {
        name: 'NaN and infinities, each in its own column',
        inputs: [values(columnsWithLimits.flat(), [3, 4])],
        run: ([x]) => segmentSoftmax(x, segments([0, 0, 0], 1)),
        noGradient: nonFinite,
      },
      {
        name: 'many segments of one entry',
        inputs: [random([9001, 5])],
        run: ([x]) =>
          segmentSoftmax(
            x,
            segments(
              Array.from({ length: 9001 }, (_, i) => i),
              9001,
            ),
          ),
        noGradient: large,
      },
    ],
  },
  segmentSoftmaxGrad: {
    tolerance: summation,
    cases: [
      [[0, 0, 1, 1, 1], 3, [2]] as const,
      [[0, 0, 1, 1, 1], 3, [4]] as const,
      [[], 3, [4]] as const,
      [longAmongShort, 40, [8]] as const,
      [longAmongShort, 40, []] as const,
      [hub, 8, [3]] as const,
      [sortedIds(3001, 412), 412, [40]] as const,
      [sortedIds(3001, 2412), 2412, [5]] as const,
    ].map(([ids, count, row]) => ({
      name: `${ids.length} entries of ${row.length > 0 ? `width ${row[0]}` : 'no width'}`,
      inputs: [random([ids.length, ...row], 0, 1), random([ids.length, ...row])],
      run: ([y, g]) => {
        return segmentSoftmaxGradOp.apply({ y, g, segments: segments(ids, count) }, {}).dx;
      },
      ...(ids.length > 50 && { noGradient: large }),
    })),
  },
} satisfies Record<string, OpCases>;

const meanIds = [0, 0, 0, 2];

export const composedSegmentCases = {
  segmentMean: {
    tolerance: summation,
    cases: [
      {
        name: 'segments of three, none and one',
        inputs: [random([4, 2])],
        run: ([x]) => segmentMean(x, segments(meanIds, 3)),
        expected: ([
          {
            data: [a, b, c, d, e, f, g, h],
          },
        ]) => [(a + c + e) / 3, (b + d + f) / 3, 0, 0, g, h],
      },
    ],
  },
} satisfies Record<string, ComposedCases>;
