import type { NdArray } from '../../core/dtype.ts';
import { large, random, rounding, summation, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCase, OpCases } from '../../testing/op-case.ts';
import { gruCell } from './gru-cell.ts';
import { gruGatesGradOp, gruGatesOp } from './gru-gates.op.ts';
import { gruOutputGradOp, gruOutputOp } from './gru-output.op.ts';

const sizes = [
  [3, 2],
  [1, 1],
  [0, 3],
  [101, 40],
  [67, 13],
] as const;

/** One case per size; `shapes` gives the inputs for n rows of d. */
const sized = (
  run: OpCase['run'],
  shapes: (n: number, d: number) => readonly (readonly number[])[],
  min = -2,
): OpCase[] =>
  sizes.map(([n, d]) => ({
    name: `${n} rows of ${d}`,
    inputs: shapes(n, d).map((shape) => random(shape, min, 1)),
    run,
    ...(n * d > 50 && { noGradient: large }),
  }));

const fused = 'fused: its backward kernel has no gradient';

export const gruCases = {
  gruGates: {
    tolerance: rounding,
    noSecondOrder: fused,
    cases: [
      ...sized(
        (inputs) => gruGatesOp.apply(inputs, {}),
        (n, d) => [[n, 2 * d], [2 * d], [n, d]],
      ),
      {
        name: 'large values',
        inputs: [values([200, -200, 1e30, -1e30], [1, 4]), values([0, 0, 0, 0]), values([1, 1], [1, 2])],
        run: (inputs) => gruGatesOp.apply(inputs, {}),
        noGradient: 'flat there',
      },
    ],
  },
  gruGatesGrad: {
    tolerance: rounding,
    cases: sized(
      (inputs) => gruGatesGradOp.apply(inputs, {}),
      (n, d) => [
        [n, 2 * d],
        [n, d],
        [n, 2 * d],
        [n, d],
      ],
      0,
    ),
  },
  gruOutput: {
    tolerance: rounding,
    noSecondOrder: fused,
    cases: sized(
      (inputs) => gruOutputOp.apply(inputs, {})[0],
      (n, d) => [[n, d], [d], [n, 2 * d], [n, d]],
    ),
  },
  gruOutputGrad: {
    tolerance: rounding,
    cases: sized(
      (inputs) => gruOutputGradOp.apply(inputs, {}),
      (n, d) => [
        [n, d],
        [n, 2 * d],
        [n, d],
        [n, d],
      ],
      0,
    ),
  },
} satisfies Record<string, OpCases>;

/** The equations of the cell, one scalar at a time. */
function byDefinition(arrays: readonly NdArray[]): number[] {
  const [x, h, gateWeight, gateBias, candidateWeight, candidateBias] = arrays.map(({ data }) => data);
  const [n, width] = arrays[0].shape;
  const d = arrays[1].shape[1];
  const sigma = (v: number): number => 1 / (1 + Math.exp(-v));
  const next: number[] = [];
  for (let row = 0; row < n; row++) {
    const xs = x.slice(row * width, (row + 1) * width);
    const hs = h.slice(row * d, (row + 1) * d);
    const linear = (
      input: readonly number[],
      weight: ArrayLike<number>,
      columns: number,
      bias: ArrayLike<number>,
    ): number[] =>
      Array.from({ length: columns }, (_, c) =>
        input.reduce((sum, v, i) => sum + v * weight[i * columns + c], bias[c]),
      );
    const gates = linear([...xs, ...hs], gateWeight, 2 * d, gateBias).map(sigma);
    const reset = Array.from(hs, (v, c) => gates[c] * v);
    const candidate = linear([...xs, ...reset], candidateWeight, d, candidateBias).map(Math.tanh);
    candidate.forEach((c, i) => next.push(gates[d + i] * hs[i] + (1 - gates[d + i]) * c));
  }
  return next;
}

const cell = (n: number, width: number, d: number, noGradient?: string): ComposedCases['cases'][number] => ({
  name: `${n} rows, ${width} inputs, ${d} states`,
  inputs: [[n, width], [n, d], [width + d, 2 * d], [2 * d], [width + d, d], [d]].map((shape) =>
    random(shape),
  ),
  run: ([x, h, gateWeight, gateBias, candidateWeight, candidateBias]) =>
    gruCell(x, h, { gateWeight, gateBias, candidateWeight, candidateBias }),
  expected: byDefinition,
  ...(noGradient !== undefined && { noGradient }),
});

export const composedGruCases = {
  gruCell: {
    tolerance: summation,
    noSecondOrder: fused,
    cases: [cell(2, 3, 2), cell(1, 1, 1), cell(0, 2, 3), cell(50, 80, 40, large)],
  },
} satisfies Record<string, ComposedCases>;
