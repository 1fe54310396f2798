import { large, random, randomIds, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCases } from '../../testing/op-case.ts';
import { broadcastTo } from './broadcast-to.op.ts';
import { concat, stack } from './concat.op.ts';
import { pad } from './pad.op.ts';
import { permute, transpose } from './permute.op.ts';
import { reshape } from './reshape.op.ts';
import { slice, split } from './slice.op.ts';

const whole = values([1, 2, 3, 4, 5, 6], [2, 3], 'int32');
const mask = values([1, 0, 0, 1, 1, 0], [2, 3], 'bool');

export const shapeCases = {
  permute: {
    tolerance: 'exact',
    cases: [
      { name: 'three axes turned', inputs: [random([2, 3, 4])], run: ([x]) => permute(x, [2, 0, 1]) },
      { name: 'no change', inputs: [random([2, 3])], run: ([x]) => permute(x, [0, 1]) },
      { name: 'five axes', inputs: [random([2, 1, 3, 2, 2])], run: ([x]) => permute(x, [4, 2, 0, 3, 1]) },
      { name: 'a scalar', inputs: [random([])], run: ([x]) => permute(x, []) },
      { name: 'whole numbers', inputs: [whole], run: ([x]) => permute(x, [1, 0]) },
      { name: 'no values', inputs: [random([0, 2])], run: ([x]) => permute(x, [1, 0]) },
      {
        name: 'a matrix of one tile',
        inputs: [random([16, 17])],
        run: ([x]) => permute(x, [1, 0]),
        noGradient: large,
      },
      {
        name: 'a matrix of whole tiles of a mask',
        inputs: [values(randomIds(64 * 32, 2), [64, 32], 'bool')],
        run: ([x]) => permute(x, [1, 0]),
      },
      {
        name: 'a long and narrow matrix',
        inputs: [random([301, 15])],
        run: ([x]) => permute(x, [1, 0]),
        noGradient: large,
      },
      {
        name: 'several matrices',
        inputs: [random([3, 40, 33])],
        run: ([x]) => permute(x, [0, 2, 1]),
        noGradient: large,
      },
      {
        name: 'two axes in front of a third',
        inputs: [random([5, 7, 33])],
        run: ([x]) => permute(x, [2, 0, 1]),
        noGradient: large,
      },
      {
        name: 'three axes in reverse',
        inputs: [random([17, 18, 19])],
        run: ([x]) => permute(x, [2, 1, 0]),
        noGradient: large,
      },
      {
        name: 'rows of four',
        inputs: [random([5, 6, 4])],
        run: ([x]) => permute(x, [1, 0, 2]),
        noGradient: large,
      },
      {
        name: 'several workgroups',
        inputs: [random([257, 131])],
        run: ([x]) => permute(x, [-1, 0]),
        noGradient: large,
      },
    ],
  },
  broadcastTo: {
    tolerance: 'exact',
    cases: [
      { name: 'a row', inputs: [random([3])], run: ([x]) => broadcastTo(x, [2, 3]) },
      { name: 'a scalar', inputs: [random([])], run: ([x]) => broadcastTo(x, [2, 2]) },
      { name: 'a middle axis', inputs: [random([2, 1, 3])], run: ([x]) => broadcastTo(x, [4, 2, 5, 3]) },
      { name: 'an empty result', inputs: [random([1, 3])], run: ([x]) => broadcastTo(x, [0, 3]) },
      { name: 'a mask', inputs: [mask], run: ([x]) => broadcastTo(x, [2, 2, 3]) },
      {
        name: 'several workgroups',
        inputs: [random([131])],
        run: ([x]) => broadcastTo(x, [97, 131]),
        noGradient: large,
      },
    ],
  },
  concat: {
    tolerance: 'exact',
    cases: [
      { name: 'rows', inputs: [random([2, 3]), random([1, 3])], run: (xs) => concat(xs) },
      {
        name: 'columns of three',
        inputs: [random([2, 3]), random([2, 1]), random([2, 2])],
        run: (xs) => concat(xs, -1),
      },
      { name: 'an empty part', inputs: [random([2, 0]), random([2, 2])], run: (xs) => concat(xs, 1) },
      { name: 'one tensor', inputs: [random([2, 2])], run: (xs) => concat(xs) },
      { name: 'the same tensor twice', inputs: [random([2, 2])], run: ([x]) => concat([x, x], 1) },
      { name: 'whole numbers', inputs: [whole, whole], run: (xs) => concat(xs) },
      { name: 'a middle axis', inputs: [random([2, 2, 3]), random([2, 1, 3])], run: (xs) => concat(xs, 1) },
      {
        name: 'twelve parts',
        inputs: Array.from({ length: 12 }, (_, i) => random([3, i])),
        run: (xs) => concat(xs, 1),
        noGradient: large,
      },
      {
        name: 'several workgroups',
        inputs: [random([301, 40]), random([301, 33])],
        run: (xs) => concat(xs, 1),
        noGradient: large,
      },
    ],
  },
  slice: {
    tolerance: 'exact',
    cases: [
      { name: 'a box', inputs: [random([4, 5])], run: ([x]) => slice(x, [1, 2], [3, 5]) },
      { name: 'rows only', inputs: [random([4, 3])], run: ([x]) => slice(x, [1], [-1]) },
      { name: 'nothing', inputs: [random([4, 3])], run: ([x]) => slice(x, [2], [2]) },
      { name: 'whole numbers', inputs: [whole], run: ([x]) => slice(x, [0, 1], [2, 3]) },
      { name: 'a scalar', inputs: [random([])], run: ([x]) => slice(x, [], []) },
      {
        name: 'several workgroups',
        inputs: [random([301, 80])],
        run: ([x]) => slice(x, [0, 40], [301, 80]),
        noGradient: large,
      },
    ],
  },
  pad: {
    tolerance: 'exact',
    cases: [
      {
        name: 'a matrix',
        inputs: [random([2, 3])],
        run: ([x]) =>
          pad(x, [
            [1, 0],
            [2, 1],
          ]),
      },
      { name: 'a value', inputs: [random([2, 2])], run: ([x]) => pad(x, [[1, 1]], -1.5) },
      { name: 'no values', inputs: [random([0])], run: ([x]) => pad(x, [[2, 1]], 3) },
      { name: 'whole numbers', inputs: [whole], run: ([x]) => pad(x, [[0, 1]], 7) },
      { name: 'no border', inputs: [random([2, 3])], run: ([x]) => pad(x, []) },
      {
        name: 'several workgroups',
        inputs: [random([301, 40])],
        run: ([x]) =>
          pad(x, [
            [0, 1],
            [40, 0],
          ]),
        noGradient: large,
      },
    ],
  },
} satisfies Record<string, OpCases>;

export const composedShapeCases = {
  reshape: {
    tolerance: 'exact',
    cases: [
      {
        name: 'an open extent',
        inputs: [random([2, 6])],
        run: ([x]) => reshape(x, [3, -1]),
        expected: ([x]) => x.data,
      },
      { name: 'a scalar', inputs: [random([1, 1])], run: ([x]) => reshape(x, []), expected: ([x]) => x.data },
    ],
  },
  transpose: {
    tolerance: 'exact',
    cases: [
      {
        name: 'a matrix',
        inputs: [random([2, 3])],
        run: ([x]) => transpose(x),
        expected: ([
          {
            data: [a, b, c, d, e, f],
          },
        ]) => [a, d, b, e, c, f],
      },
      {
        name: 'outer axes',
        inputs: [random([2, 1, 2])],
        run: ([x]) => transpose(x, 0, 2),
        expected: ([
          {
            data: [a, b, c, d],
          },
        ]) => [a, c, b, d],
      },
    ],
  },
  split: {
    tolerance: 'exact',
    cases: [
      {
        name: 'equal parts',
        inputs: [random([2, 4])],
        run: ([x]) => split(x, 2, 1)[1],
        expected: ([{ data }]) => [data[2], data[3], data[6], data[7]],
      },
      {
        name: 'given extents',
        inputs: [random([4, 2])],
        run: ([x]) => split(x, [1, 3])[0],
        expected: ([{ data }]) => data.slice(0, 2),
      },
    ],
  },
  stack: {
    tolerance: 'exact',
    cases: [
      {
        name: 'a new last axis',
        inputs: [random([2]), random([2])],
        run: (xs) => stack(xs, -1),
        expected: ([{ data: a }, { data: b }]) => [a[0], b[0], a[1], b[1]],
      },
      {
        name: 'a new first axis',
        inputs: [random([2]), random([2])],
        run: (xs) => stack(xs),
        expected: ([a, b]) => [...a.data, ...b.data],
      },
    ],
  },
} satisfies Record<string, ComposedCases>;
