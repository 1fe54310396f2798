import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { gatherDot, gatherMul, weightedSum } from './weighted-sum.op.ts';

const sums = (
  name: string,
  to: readonly number[],
  [rows, x]: readonly [rows: number, x: readonly number[]],
  { heads = [], from }: { heads?: readonly number[]; from?: readonly number[] } = {},
): OpCase => ({
  name,
  inputs: [random([to.length, ...heads]), random(x)],
  run: ([w, values]) => {
    const index = rowIndex(to, rows);
    return weightedSum(w, values, from ? { from: rowIndex(from, x[0]), to: index } : { to: index });
  },
  ...(to.length > 50 && { noGradient: large }),
});

const dots = (
  name: string,
  [x, y]: readonly [x: readonly number[], y: readonly number[]],
  xRows: readonly number[],
  { yRows, heads }: { yRows?: readonly number[]; heads?: readonly number[] } = {},
): OpCase => ({
  name,
  inputs: [random(x), random(y)],
  run: ([a, b]) =>
    gatherDot(a, b, { xRows: rowIndex(xRows, x[0]), yRows: yRows && rowIndex(yRows, y[0]), heads }),
  ...(xRows.length > 50 && { noGradient: large }),
});

const products = (
  name: string,
  [x, y]: readonly [x: readonly number[], y: readonly number[]],
  yRows: readonly number[],
  xRows?: readonly number[],
): OpCase => ({
  name,
  inputs: [random(x), random(y)],
  run: ([a, b]) => {
    const of = rowIndex(yRows, y[0]);
    return gatherMul(a, b, xRows ? { xRows: rowIndex(xRows, x[0]), yRows: of } : { yRows: of });
  },
  ...(yRows.length > 50 && { noGradient: large }),
});

const hub = [...new Array<number>(3000).fill(2), ...randomIds(400, 7)];

export const weightedSumCases = {
  weightedSum: {
    tolerance: { absolute: 2e-4, relative: 2e-5 },
    cases: [
      sums('entries out of order, a row without any', [2, 0, 2, 1], [4, [4, 3]]),
      sums('rows through an index', [1, 0, 1], [2, [5, 4]], { from: [4, 0, 4] }),
      sums('two heads', [1, 0, 1], [2, [3, 6]], { heads: [2] }),
      sums('plain values', [0, 1, 1], [2, [3]]),
      sums('plain values through an index', randomIds(301, 40), [41, [50]], { from: randomIds(301, 50) }),
      sums('no entries', [], [2, [0, 3]]),
      sums('two heads through an index', [1, 0, 1], [2, [4, 6]], { heads: [2], from: [3, 3, 0] }),
      sums('two heads of fifteen', [1, 0, 1], [3, [4, 30]], { heads: [2], from: [3, 3, 0] }),
      sums('five heads of eight', randomIds(901, 97), [97, [901, 40]], { heads: [5] }),
      sums('a row with thousands of entries', hub, [7, [50, 12]], { from: randomIds(hub.length, 50) }),
    ],
  },
  gatherDot: {
    tolerance: summation,
    cases: [
      dots(
        'rows at both ends',
        [
          [3, 5],
          [4, 5],
        ],
        [2, 2, 0, 1, 0],
        { yRows: [3, 0, 3, 1, 2] },
      ),
      dots(
        'more rows than a cache holds, out of order',
        [
          [50, 40],
          [6600, 40],
        ],
        randomIds(200, 50),
        { yRows: randomIds(200, 6600), heads: [5] },
      ),
      dots(
        'rows of the entries themselves',
        [
          [2, 4],
          [3, 4],
        ],
        [1, 0, 1],
      ),
      dots(
        'two heads',
        [
          [2, 6],
          [3, 6],
        ],
        [1, 0, 1],
        { yRows: [2, 2, 0], heads: [2] },
      ),
      dots(
        'heads in fours, of the entries themselves',
        [
          [2, 8],
          [2, 8],
        ],
        [1, 0],
        { heads: [2] },
      ),
      dots('plain values', [[3], [2]], [2, 0, 2], { yRows: [0, 1, 1] }),
      dots(
        'no entries',
        [
          [2, 3],
          [3, 3],
        ],
        [],
        { yRows: [] },
      ),
      dots(
        'many rows in five heads',
        [
          [97, 40],
          [61, 40],
        ],
        randomIds(1001, 97),
        {
          yRows: randomIds(1001, 61),
          heads: [5],
        },
      ),
    ],
  },
  gatherMul: {
    tolerance: summation,
    cases: [
      products('values at both ends', [[3], [4]], [3, 0, 3, 1, 2], [2, 2, 0, 1, 0]),
      products('values of the entries themselves', [[7], [2]], [1, 0, 0, 1, 1, 0, 1]),
      products(
        'rows',
        [
          [2, 3],
          [3, 3],
        ],
        [2, 0, 1],
        [0, 1, 1],
      ),
      products(
        'rows in fours',
        [
          [2, 4],
          [3, 4],
        ],
        [2, 0, 1],
        [0, 1, 1],
      ),
      products('no entries', [[2], [3]], [], []),
      products('many values', [[97], [61]], randomIds(1003, 61), randomIds(1003, 97)),
      products(
        'many rows',
        [
          [97, 40],
          [61, 40],
        ],
        randomIds(1001, 61),
        randomIds(1001, 97),
      ),
    ],
  },
} satisfies Record<string, OpCases>;
