import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase, BenchRun } from '../../bench/bench-case.ts';
import { gruCellGradOp, gruCellOp } from './gru-cell.op.ts';

const d = width;
const shapes = {
  state: (nodes: number) => [nodes, d],
  gates: (nodes: number) => [nodes, 2 * d],
  stateBias: () => [d],
  gatesBias: () => [2 * d],
  stateWeight: () => [3 * d, d],
  gatesWeight: () => [3 * d, 2 * d],
};
type Part = keyof typeof shapes;

/** Inputs and outputs by what they are; floating-point operations per row. */
const rows = (
  run: BenchRun,
  inputs: readonly Part[],
  outputs: readonly Part[],
  flops?: number,
): BenchCase[] =>
  sizes.map(({ nodes }) => {
    const shape = (part: Part): number[] => shapes[part](nodes);
    return {
      name: `${nodes} rows of ${d}`,
      inputs: () => inputs.map((part) => noise(shape(part))),
      prepare: () => run,
      bytes: bytesOf(...inputs.map(shape), ...outputs.map(shape)),
      ...(flops !== undefined && { flops: flops * nodes }),
    };
  });

/** Two products of [x : h], each three states wide, with three states altogether. */
const products = 2 * 3 * d * 3 * d;

export const gruCellBench = {
  gruCell: rows(
    ([gateWeight, gateBias, candidateWeight, candidateBias, h, ...xs]) =>
      Object.values(gruCellOp.apply({ gateWeight, gateBias, candidateWeight, candidateBias, h, xs }, {})),
    ['gatesWeight', 'gatesBias', 'stateWeight', 'stateBias', 'state', 'state', 'state'],
    ['state', 'gates', 'state', 'state'],
    products,
  ),
  gruCellGrad: rows(
    ([gateWeight, candidateWeight, dnext, gates, candidate, h]) => {
      const operands = { gateWeight, candidateWeight, dnext, gates, candidate, h };
      return Object.values(gruCellGradOp.apply(operands, { widths: [d, d] })).flat();
    },
    ['gatesWeight', 'stateWeight', 'state', 'gates', 'state', 'state'],
    ['gates', 'state', 'state', 'state', 'state'],
    products,
  ),
} satisfies Record<string, readonly BenchCase[]>;
