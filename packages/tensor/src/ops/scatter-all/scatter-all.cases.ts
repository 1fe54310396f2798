import { scatteredRows } from '../../core/gradient.ts';
import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { gatherPair } from './gather-pair.op.ts';
import { scatterAddAll } from './scatter-add-all.op.ts';

const sums = (
  name: string,
  [rows, ...row]: readonly number[],
  ids: readonly (readonly number[])[],
  hasBase: boolean,
): OpCase => ({
  name,
  inputs: [
    ...ids.map(({ length }) => random([length, ...row])),
    ...(hasBase ? [random([rows, ...row])] : []),
  ],
  run: (inputs) => {
    const terms = ids.map((of, i) => scatteredRows(inputs[i], rowIndex(of, rows)));
    return scatterAddAll(terms, inputs.at(ids.length));
  },
});

const pairs = (
  name: string,
  x: readonly number[],
  first: readonly number[],
  second: readonly number[],
): OpCase => ({
  name,
  inputs: [random(x)],
  run: ([values]) => gatherPair(values, rowIndex(first, x[0]), rowIndex(second, x[0])),
  ...(first.length > 50 && { noGradient: large }),
});

export const scatterAllCases = {
  scatterAddAll: {
    tolerance: summation,
    cases: [
      sums('one term', [3, 2], [[2, 0, 2]], false),
      sums(
        'two terms and a base',
        [4, 3],
        [
          [2, 0, 2],
          [1, 3],
        ],
        true,
      ),
      sums('plain values', [3], [[1, 1], [0]], true),
      sums('a term without entries', [2, 4], [[], [1]], false),
      sums('five terms', [5, 4], [[4, 0], [1], [2, 2], [3], [0, 1, 4]], true),
      sums('rows of forty', [97, 40], [randomIds(901, 97), randomIds(300, 97)], true),
      sums('rows of odd width', [61, 13], [randomIds(500, 61), randomIds(77, 61), randomIds(9, 61)], false),
    ],
  },
  gatherPair: {
    tolerance: 'exact',
    cases: [
      pairs('rows out of order', [3, 2], [2, 0, 2], [1, 1]),
      pairs('no rows and one', [2, 3], [], [1]),
      pairs('plain values', [3], [0, 2, 1], [2]),
      pairs('rows in fours', [4, 8], [3, 0], [1, 2, 2]),
      pairs('many rows', [97, 40], randomIds(701, 97), randomIds(1303, 97)),
      pairs('many rows of odd width', [97, 7], randomIds(301, 97), randomIds(103, 97)),
    ],
  },
} satisfies Record<string, OpCases>;
