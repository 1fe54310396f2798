import type { NdArray } from '../../core/dtype.ts';
import { rowIndex } from '../../core/row-index.ts';
import { large, random, summation, values } from '../../testing/op-case.ts';
import type { ComposedCases, OpCase, OpCases } from '../../testing/op-case.ts';
import { gruCell, gruCellGradOp } from './gru-cell.op.ts';

const fused = 'fused: its backward kernel has no gradient';

/** Rows, states, and the widths of the parts of x. */
const sizes = [
  [2, 2, [3]],
  [3, 2, [2, 1]],
  [1, 1, [1]],
  [0, 3, [2]],
  [2, 4, [4, 8]],
  [101, 40, [40, 40]],
  [67, 13, [7]],
] as const;

const shapesOfWeights = (d: number, widths: readonly number[]): readonly (readonly number[])[] => {
  const width = widths.reduce((total, w) => total + w, d);
  return [[width, 2 * d], [2 * d], [width, d], [d]];
};

const cell = (n: number, d: number, widths: readonly number[]): OpCase => ({
  name: `${n} rows of ${d}, inputs of ${widths.join(' + ')}`,
  inputs: [...shapesOfWeights(d, widths), [n, d], ...widths.map((w) => [n, w])].map((shape) => random(shape)),
  run: ([gateWeight, gateBias, candidateWeight, candidateBias, h, ...xs]) =>
    gruCell(xs, h, { gateWeight, gateBias, candidateWeight, candidateBias }),
  ...(n * d > 20 && { noGradient: large }),
});

/** Rows with one of several biases each. */
const byRow = (d: number, widths: readonly number[], ids: readonly number[]): OpCase => {
  const [gateWeight, gateBias, candidateWeight, candidateBias] = shapesOfWeights(d, widths);
  const [n, biases] = [ids.length, Math.max(0, ...ids) + 2];
  const shapes = [gateWeight, [biases, ...gateBias], candidateWeight, [biases, ...candidateBias], [n, d]];
  return {
    name: `${n} rows of ${d}, inputs of ${widths.join(' + ')}, each with one of ${biases} biases`,
    inputs: [...shapes, ...widths.map((w) => [n, w])].map((shape) => random(shape)),
    run: ([gateWeight, gateBias, candidateWeight, candidateBias, h, ...xs]) => {
      const biasRows = rowIndex(ids, biases);
      return gruCell(xs, h, { gateWeight, gateBias, candidateWeight, candidateBias, biasRows });
    },
    ...(n * d > 20 && { noGradient: large }),
  };
};

const slope = (n: number, d: number, widths: readonly number[]): OpCase => {
  const [ofGate, , ofCandidate] = shapesOfWeights(d, widths);
  const shapes = [ofGate, ofCandidate, [n, d], [n, 2 * d], [n, d], [n, d]];
  return {
    name: `${n} rows of ${d}, inputs of ${widths.join(' + ')}`,
    inputs: shapes.map((shape) => random(shape, 0, 1)),
    run: ([gateWeight, candidateWeight, dnext, gates, candidate, h]) => {
      const operands = { gateWeight, candidateWeight, dnext, gates, candidate, h };
      return Object.values(gruCellGradOp.apply(operands, { widths })).flat();
    },
  };
};

export const gruCases = {
  gruCell: {
    tolerance: summation,
    noSecondOrder: fused,
    cases: [
      ...sizes.map(([n, d, widths]) => cell(n, d, widths)),
      byRow(2, [2], [2, 0, 2, 1]),
      byRow(2, [1, 2], [0, 0, 0]),
      byRow(3, [1], []),
      byRow(
        40,
        [40],
        Array.from({ length: 101 }, (_, row) => (row * 7) % 30),
      ),
      byRow(
        13,
        [300],
        Array.from({ length: 67 }, (_, row) => row % 5),
      ),
      {
        name: 'large values',
        inputs: [
          values([200, -200, 1e30, -1e30, 0, 0, 0, 0, 0, 0, 0, 0], [3, 4]),
          values([0, 0, 0, 0]),
          values([300, -1e30, 0, 0, 0, 0], [3, 2]),
          values([0, 0]),
          values([1, 1], [1, 2]),
          values([1], [1, 1]),
        ],
        run: ([gateWeight, gateBias, candidateWeight, candidateBias, h, x]) =>
          gruCell(x, h, { gateWeight, gateBias, candidateWeight, candidateBias }),
        noGradient: 'flat there',
      },
    ],
  },
  gruCellGrad: { tolerance: summation, cases: sizes.map(([n, d, widths]) => slope(n, d, widths)) },
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

/** The same, with x in several tensors side by side. */
const joined = (
  n: number,
  d: number,
  widths: readonly number[],
  noGradient?: string,
): ComposedCases['cases'][number] => ({
  name: `${n} rows, ${widths.join(' + ')} inputs, ${d} states`,
  inputs: [...widths.map((w) => [n, w]), [n, d], ...shapesOfWeights(d, widths)].map((shape) => random(shape)),
  run: (inputs) => {
    const [h, gateWeight, gateBias, candidateWeight, candidateBias] = inputs.slice(widths.length);
    const xs = inputs.slice(0, widths.length);
    const weights = { gateWeight, gateBias, candidateWeight, candidateBias };
    return gruCell(xs.length === 1 ? xs[0] : xs, h, weights);
  },
  expected: (arrays) =>
    byDefinition([sideBySide(arrays.slice(0, widths.length)), ...arrays.slice(widths.length)]),
  ...(noGradient !== undefined && { noGradient }),
});

function sideBySide(parts: readonly NdArray[]): NdArray {
  const [n] = parts[0].shape;
  const rows = Array.from({ length: n }, (_, row) =>
    parts.flatMap(({ data, shape }) => Array.from(data.slice(row * shape[1], (row + 1) * shape[1]))),
  );
  const width = parts.reduce((total, { shape }) => total + shape[1], 0);
  return { dtype: 'float32', shape: [n, width], data: Float64Array.from(rows.flat()) };
}

export const composedGruCases = {
  gruCellByDefinition: {
    tolerance: summation,
    noSecondOrder: fused,
    cases: [
      joined(2, 2, [3]),
      joined(2, 3, [1, 2]),
      joined(2, 2, [1, 2, 1]),
      joined(0, 3, [2]),
      joined(50, 40, [80], large),
    ],
  },
} satisfies Record<string, ComposedCases>;
