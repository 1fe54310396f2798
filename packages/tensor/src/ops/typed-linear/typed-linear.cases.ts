import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { typedLinear, typedOuter } from './typed-linear.op.ts';

const through = (
  name: string,
  ids: readonly number[],
  types: number,
  [n, m]: readonly [number, number],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random([ids.length, n]), random([types, n, m])],
  run: ([x, w]) => typedLinear(x, w, rowIndex(ids, types)),
  ...(noGradient !== undefined && { noGradient }),
});

const outer = (
  name: string,
  ids: readonly number[],
  types: number,
  [n, m]: readonly [number, number],
  noGradient?: string,
): OpCase => ({
  name,
  inputs: [random([ids.length, n]), random([ids.length, m])],
  run: ([a, b]) => typedOuter(a, b, rowIndex(ids, types)),
  ...(noGradient !== undefined && { noGradient }),
});

export const typedLinearCases = {
  typedLinear: {
    tolerance: summation,
    cases: [
      through('types out of order', [2, 0, 2, 1], 3, [3, 2]),
      through('a type without rows', [0, 0], 3, [2, 2]),
      through('no rows', [], 2, [3, 2]),
      through('sorted types', [0, 0, 1], 2, [2, 3]),
      through('many rows', randomIds(700, 9), 9, [40, 40], large),
      through('odd widths', randomIds(301, 5), 5, [13, 7], large),
      {
        name: 'a bias',
        inputs: [random([4, 3]), random([2, 3, 2]), random([2, 2])],
        run: ([x, w, b]) => typedLinear(x, w, rowIndex([1, 0, 1, 1], 2), b),
      },
    ],
  },
  typedOuter: {
    tolerance: { absolute: 1e-4, relative: 2e-5 },
    cases: [
      outer('types out of order', [2, 0, 2, 1], 3, [3, 2]),
      outer('a type without rows', [0, 0], 3, [2, 2]),
      outer('no rows', [], 2, [3, 2]),
      outer('many rows', randomIds(700, 9), 9, [40, 40], large),
      outer('odd widths', randomIds(301, 5), 5, [13, 7], large),
    ],
  },
} satisfies Record<string, OpCases>;
