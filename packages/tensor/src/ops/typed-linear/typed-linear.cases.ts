import { rowIndex } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, randomIds, summation, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { typedLinear, typedLinearOp, typedOuter } from './typed-linear.op.ts';

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

/** x·W[type]ᵀ: the product that gradients by x are. */
const turned = (x: Tensor, w: Tensor, types: RowIndex): Tensor =>
  typedLinearOp.apply({ x, weight: w, types }, { transposed: true }).y;

const throughTurned = (
  name: string,
  ids: readonly number[],
  types: number,
  [n, m]: readonly [number, number],
): OpCase => ({
  name: `${name}, turned`,
  inputs: [random([ids.length, n]), random([types, m, n])],
  run: ([x, w]) => turned(x, w, rowIndex(ids, types)),
  noGradient: large,
});

/** Row 1 is NaN and its type infinite: no other row may see them. */
const besideLimits = (name: string, run: typeof turned, n: number, weight: readonly number[]): OpCase => ({
  name: `${name} of width ${n} beside NaN and infinities`,
  inputs: [
    values(
      [1, NaN, 2].flatMap((value) => new Array<number>(n).fill(value)),
      [3, n],
    ),
    values(
      [0.5, Infinity].flatMap((value) => new Array<number>(3 * n).fill(value)),
      weight,
    ),
  ],
  run: ([x, w]) => run(x, w, rowIndex([0, 1, 0], 2)),
  noGradient: nonFinite,
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

/** Both widths a multiple of four, one of them, or neither; within a tile and past one. */
const widths: readonly (readonly [number, number])[] = [
  [4, 4],
  [8, 3],
  [5, 8],
  [1, 4],
  [4, 1],
  [2, 5],
];
const wide: readonly (readonly [number, number])[] = [
  [36, 40],
  [35, 36],
  [36, 33],
];

export const typedLinearCases = {
  typedLinear: {
    tolerance: summation,
    cases: [
      through('types out of order', [2, 0, 2, 1], 3, [3, 2]),
      through('a type without rows', [0, 0], 3, [2, 2]),
      through('no rows', [], 2, [3, 2]),
      through('sorted types', [0, 0, 1], 2, [2, 3]),
      ...widths.map(([n, m]) => through(`widths ${n} and ${m}`, [1, 0, 1, 1, 0], 2, [n, m])),
      ...wide.map(([n, m]) => through(`widths ${n} and ${m}`, randomIds(67, 3), 3, [n, m], large)),
      through('odd widths', randomIds(301, 5), 5, [13, 7], large),
      {
        name: 'a bias',
        inputs: [random([4, 3]), random([2, 3, 2]), random([2, 2])],
        run: ([x, w, b]) => typedLinear(x, w, rowIndex([1, 0, 1, 1], 2), b),
      },
      ...wide.map(([n, m]) => throughTurned(`widths ${n} and ${m}`, randomIds(67, 3), 3, [n, m])),
      ...[4, 5].flatMap((n) => [
        besideLimits('rows', typedLinear, n, [2, n, 3]),
        besideLimits('turned rows', turned, n, [2, 3, n]),
      ]),
      through('many rows', randomIds(700, 9), 9, [40, 40], large),
    ],
  },
  typedOuter: {
    tolerance: { absolute: 1e-4, relative: 2e-5 },
    cases: [
      outer('types out of order', [2, 0, 2, 1], 3, [3, 2]),
      outer('a type without rows', [0, 0], 3, [2, 2]),
      outer('no rows', [], 2, [3, 2]),
      ...widths.map(([n, m]) => outer(`widths ${n} and ${m}`, [1, 0, 1, 1, 0], 2, [n, m])),
      ...wide.map(([n, m]) => outer(`widths ${n} and ${m}`, randomIds(67, 3), 3, [n, m], large)),
      outer('a type in several slices', new Array<number>(1200).fill(1), 2, [8, 4], large),
      outer('odd widths', randomIds(301, 5), 5, [13, 7], large),
      outer('many rows', randomIds(700, 12), 12, [40, 40], large),
    ],
  },
} satisfies Record<string, OpCases>;
