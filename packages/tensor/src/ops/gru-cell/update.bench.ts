import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase, BenchRun } from '../../bench/bench-case.ts';
import { adamUpdateOp } from '../adam/adam-update.op.ts';
import { gruGatesGradOp, gruGatesOp } from './gru-gates.op.ts';
import { gruOutputGradOp, gruOutputOp } from './gru-output.op.ts';

const d = width;
const shapes = {
  state: (nodes: number) => [nodes, d],
  gates: (nodes: number) => [nodes, 2 * d],
  stateBias: () => [d],
  gatesBias: () => [2 * d],
};
type Part = keyof typeof shapes;

/** Inputs and outputs by what they are. */
const rows = (run: BenchRun, inputs: readonly Part[], outputs: readonly Part[]): BenchCase[] =>
  sizes.map(({ nodes }) => {
    const shape = (part: Part): number[] => shapes[part](nodes);
    return {
      name: `${nodes} rows of ${d}`,
      inputs: () => inputs.map((part) => noise(shape(part))),
      prepare: () => run,
      bytes: bytesOf(...inputs.map(shape), ...outputs.map(shape)),
    };
  });

/** Fused updates: of states and of parameters. */
export const updateBench = {
  gruGates: rows(
    (inputs) => gruGatesOp.apply(inputs, {}),
    ['gates', 'gatesBias', 'state'],
    ['gates', 'state'],
  ),
  gruGatesGrad: rows(
    (inputs) => gruGatesGradOp.apply(inputs, {}),
    ['gates', 'state', 'gates', 'state'],
    ['gates', 'state'],
  ),
  gruOutput: rows(
    (inputs) => gruOutputOp.apply(inputs, {}),
    ['state', 'stateBias', 'gates', 'state'],
    ['state', 'state'],
  ),
  gruOutputGrad: rows(
    (inputs) => gruOutputGradOp.apply(inputs, {}),
    ['state', 'gates', 'state', 'state'],
    ['state', 'gates', 'state'],
  ),
  adamUpdate: rows(
    (inputs) =>
      adamUpdateOp.apply(inputs, { learningRate: 1e-4, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 1 }),
    ['state', 'state', 'state', 'state'],
    ['state', 'state', 'state'],
  ),
} satisfies Record<string, readonly BenchCase[]>;
