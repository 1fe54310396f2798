import { segments } from '../../core/row-index.ts';
import { large, nonFinite, random, sortedIds, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { segmentLogSumExp } from './segment-log-sum-exp.op.ts';

const on = (
  name: string,
  ids: readonly number[],
  count: number,
  input: OpCase['inputs'][number],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [input],
  run: ([x]) => segmentLogSumExp(x, segments(ids, count)),
  ...(noGradient !== undefined && { noGradient }),
});

const longAmongShort = [...sortedIds(60, 20), ...new Array<number>(200).fill(20), 30, 39];
const hub = [...sortedIds(200, 3), ...new Array<number>(10_000).fill(3)];
const columnsWithLimits = [
  [0, NaN, 1, -Infinity],
  [1, 0, Infinity, -Infinity],
  [2, 1, 0, 3],
];

export const segmentLogSumExpCases = {
  segmentLogSumExp: {
    tolerance: { absolute: 1e-5, relative: 1e-5 },
    cases: [
      on('three segments', [0, 0, 1, 2, 2, 2], 3, random([6, 2], -2, 2)),
      on('one entry', [0], 1, random([1, 3])),
      on('plain values', [0, 1, 1], 2, random([3], -2, 2)),
      on('deeper rows', [0, 0, 1], 2, random([3, 2, 2])),
      on('rows of eight', [0, 0, 1, 1], 2, random([4, 8])),
      on('no segments', [], 0, random([0, 3])),
      on('empty segments in front, between and behind', [1, 1, 3], 5, random([3, 2]), nonFinite),
      on('no entries', [], 2, random([0, 3]), nonFinite),
      on('large values', [0, 0, 0, 1], 2, values([1e4, 1e4 + 1, -1e4, -1e4]), large),
      on(
        'NaN and infinities, each in its own column',
        [0, 0, 0],
        1,
        values(columnsWithLimits.flat(), [3, 4]),
        nonFinite,
      ),
      on('one segment of two hundred among short ones', longAmongShort, 40, random([262, 8]), nonFinite),
      on('many segments', sortedIds(7001, 913), 913, random([7001, 40]), large),
      on('rows of odd width', sortedIds(1000, 77), 77, random([1000, 13]), large),
      on('one segment of ten thousand', hub, 4, random([hub.length, 5]), large),
    ],
  },
} satisfies Record<string, OpCases>;
