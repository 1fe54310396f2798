import type { NdArray } from '../../core/dtype.ts';
import { rowIndex } from '../../core/row-index.ts';
import { large, random, randomIds, summation } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { attendedBiasGradOp, attendedSumGradOp } from './attended-sum-grad.op.ts';
import { attendedSum } from './attended-sum.op.ts';

export interface AttendedSize {
  readonly name: string;
  readonly from: readonly number[];
  readonly into: readonly number[];
  /** Rows of the values and of the result. */
  readonly rows: readonly [number, number];
  readonly width: number;
  readonly heads?: number;
  readonly counted?: boolean;
}

const hub = [...new Array<number>(2000).fill(1), ...randomIds(300, 5)];

export const attendedSizes: readonly AttendedSize[] = [
  { name: 'four messages', from: [2, 0, 2, 1], into: [1, 0, 1, 3], rows: [3, 4], width: 3, counted: true },
  { name: 'nothing unattended', from: [1, 0], into: [0, 0], rows: [2, 1], width: 2 },
  { name: 'no messages', from: [], into: [], rows: [2, 3], width: 2, counted: true },
  { name: 'two heads', from: [0, 1, 1], into: [1, 1, 0], rows: [2, 2], width: 2, heads: 2, counted: true },
  {
    name: 'five heads of eight',
    from: randomIds(901, 97),
    into: randomIds(901, 61),
    rows: [97, 61],
    width: 8,
    heads: 5,
    counted: true,
  },
  {
    name: 'rows of forty',
    from: randomIds(3001, 97),
    into: randomIds(3001, 501),
    rows: [97, 501],
    width: 40,
    counted: true,
  },
  {
    name: 'a row with thousands of messages',
    from: randomIds(hub.length, 50),
    into: hub,
    rows: [50, 5],
    width: 7,
  },
];

const inputsOf = ({ from, rows, width, heads = 1, counted }: AttendedSize): NdArray[] => [
  random([rows[0], heads * width]),
  random(heads > 1 ? [from.length, heads] : [from.length]),
  random([width]),
  ...(counted ? [random([rows[1], 1], 0, 3)] : []),
];

const acted = (size: AttendedSize): OpCase => ({
  name: size.name,
  inputs: inputsOf(size),
  run: ([values, weights, bias, ...unattended]) =>
    attendedSum(values, {
      weights,
      bias,
      from: rowIndex(size.from, size.rows[0]),
      into: rowIndex(size.into, size.rows[1]),
      ...(size.counted && { unattended: unattended[0] }),
    }),
  ...(size.from.length > 50 && { noGradient: large }),
});

const slopes = (size: AttendedSize): OpCase => ({
  name: size.name,
  inputs: [random([size.rows[1], size.width * (size.heads ?? 1)]), ...inputsOf(size).slice(0, 3)],
  run: ([dout, values, weights, bias]) => {
    const [from, into] = [rowIndex(size.from, size.rows[0]), rowIndex(size.into, size.rows[1])];
    return Object.values(attendedSumGradOp.apply({ dout, values, weights, bias, from, into }, {}));
  },
});

const biases = ({ name, from, rows, width, heads = 1, counted }: AttendedSize): OpCase => ({
  name,
  inputs: [
    random([from.length, heads * width]),
    random([rows[1], heads * width]),
    random([width]),
    ...(counted ? [random([rows[1], 1], 0, 3)] : []),
  ],
  run: ([slopes, dout, bias, unattended]) =>
    attendedBiasGradOp.apply({ slopes, dout, bias, unattended }, {}).out,
});

export const attendedSumCases = {
  attendedSum: {
    tolerance: { absolute: 2e-4, relative: 2e-5 },
    noSecondOrder: 'fused: its backward kernel has no gradient',
    cases: attendedSizes.map(acted),
  },
  attendedSumGrad: { tolerance: summation, cases: attendedSizes.map(slopes) },
  attendedBiasGrad: { tolerance: { absolute: 2e-4, relative: 2e-5 }, cases: attendedSizes.map(biases) },
} satisfies Record<string, OpCases>;
