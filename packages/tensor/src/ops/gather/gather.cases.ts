import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds, sortedIds, summation, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { gatherSum } from './gather-sum.op.ts';
import { gather, scatterAdd } from './gather.op.ts';

const rows = (
  name: string,
  ids: readonly number[],
  shape: readonly number[],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random(shape)],
  run: ([x]) => gather(x, rowIndex(ids, shape[0])),
  ...(noGradient !== undefined && { noGradient }),
});

const added = (
  name: string,
  ids: readonly number[],
  count: number,
  row: readonly number[],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random([ids.length, ...row])],
  run: ([x]) => scatterAdd(x, rowIndex(ids, count)),
  ...(noGradient !== undefined && { noGradient }),
});

const passed = (
  name: string,
  from: readonly number[],
  to: readonly number[],
  [n, m]: readonly [number, number],
  row: readonly number[],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random([n, ...row])],
  run: ([x]) => gatherSum(x, rowIndex(from, n), rowIndex(to, m)),
  ...(noGradient !== undefined && { noGradient }),
});

const hub = [...new Array<number>(10_000).fill(3), ...randomIds(500, 6)];

export const gatherCases = {
  gather: {
    tolerance: 'exact',
    cases: [
      rows('ids out of order, one twice', [2, 0, 2, 1], [3, 4]),
      rows('a row never named', [0, 3], [4, 2]),
      rows('one id', [1], [2, 3]),
      rows('no ids', [], [3, 2]),
      rows('plain values', [1, 1, 0], [3]),
      rows('deeper rows', [1, 0, 1], [2, 2, 3]),
      rows('sorted ids', [0, 0, 1, 3], [4, 3]),
      rows('many ids', randomIds(3001, 97), [97, 40], large),
      rows('rows of odd width', randomIds(1001, 50), [50, 13], large),
      {
        name: 'whole numbers',
        inputs: [values([5, 6, 7], [3], 'int32')],
        run: ([x]) => gather(x, rowIndex([2, 2, 0], 3)),
      },
    ],
  },
  scatterAdd: {
    tolerance: summation,
    cases: [
      added('ids out of order, one twice', [2, 0, 2, 1], 3, [4]),
      added('a row without entries', [3, 0], 5, [2]),
      added('no entries', [], 3, [2]),
      added('plain values', [1, 0, 1, 1], 2, []),
      added('sorted ids', [0, 0, 1], 3, [2]),
      added('many entries', randomIds(3001, 97), 97, [40], large),
      added('one row with ten thousand entries', hub.toReversed(), 6, [5], large),
    ],
  },
  gatherSum: {
    tolerance: summation,
    cases: [
      passed('edges between three nodes', [0, 1, 2, 0], [1, 2, 1, 1], [3, 3], [4]),
      passed('other rows than it reads', [1, 0, 1], [3, 0, 0], [2, 4], [2]),
      passed('no edges', [], [], [2, 3], [2]),
      passed('plain values', [0, 1, 1], [1, 0, 0], [2, 2], []),
      passed('sorted receivers', [2, 0, 1], [0, 0, 1], [3, 2], [3]),
      passed('many edges', randomIds(3001, 97), sortedIds(3001, 97), [97, 97], [40], large),
      passed('one node with ten thousand edges', randomIds(hub.length, 50), hub, [50, 6], [8], large),
    ],
  },
} satisfies Record<string, OpCases>;
