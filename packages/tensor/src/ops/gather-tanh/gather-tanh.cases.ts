import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { gatherTanh } from './gather-tanh.op.ts';

/** Terms of so many rows each, and the rows that entries name in them. */
const terms = (
  name: string,
  row: readonly number[],
  ...of: readonly (readonly [rows: number, ids: readonly number[]])[]
): OpCase => ({
  name,
  inputs: of.map(([rows]) => random([rows, ...row])),
  run: (xs) => {
    const [first, ...others] = xs.map((x, i) => ({ x, index: rowIndex(of[i][1], of[i][0]) }));
    return gatherTanh([first, ...others]);
  },
  ...(of[0][1].length > 50 && { noGradient: large }),
});

export const gatherTanhCases = {
  gatherTanh: {
    tolerance: { absolute: 2e-6, relative: 2e-6 },
    cases: [
      terms('two terms, one row twice', [4], [3, [2, 0, 2, 1]], [2, [1, 1, 0, 1]]),
      terms('three terms, rows never named', [4], [3, [2, 0]], [4, [3, 0]], [2, [1, 1]]),
      terms('plain values', [], [3, [1, 1, 0]], [3, [2, 0, 1]]),
      terms('deeper rows', [2, 3], [2, [1, 0, 1]], [2, [0, 0, 1]], [1, [0, 0, 0]]),
      terms('one term', [6], [3, [2, 0, 2]]),
      terms('five terms', [3], [2, [1, 0]], [1, [0, 0]], [3, [2, 2]], [2, [0, 1]], [1, [0, 0]]),
      terms('one entry', [5], [2, [1]], [1, [0]]),
      terms('no entries', [3], [2, []], [1, []], [3, []]),
      terms(
        'rows of forty',
        [40],
        [97, randomIds(3001, 97)],
        [50, randomIds(3001, 50)],
        [9, randomIds(3001, 9)],
      ),
      terms('rows of odd width', [13], [50, randomIds(1001, 50)], [61, randomIds(1001, 61)]),
      terms(
        'three rows of odd width',
        [7],
        [50, randomIds(401, 50)],
        [61, randomIds(401, 61)],
        [3, randomIds(401, 3)],
      ),
      {
        name: 'far out, where it is flat',
        inputs: [random([4, 3], -30, 30), random([4, 3], -30, 30)],
        run: ([x, y]) => {
          const index = rowIndex([3, 2, 1, 0], 4);
          return gatherTanh([
            { x, index },
            { x: y, index },
          ]);
        },
      },
    ],
  },
} satisfies Record<string, OpCases>;
