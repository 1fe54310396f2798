import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, rounding, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import * as ops from './unary.op.ts';

const special = [0, -0, 1e-30, -1e-30, 1, -1, 20, -20, 90, -90, 1e30, -1e30, Infinity, -Infinity, NaN];

/** The usual corners, with the values drawn from where the function is smooth. */
function cases(run: (x: Tensor) => Tensor, min = -2, max = 2): OpCase[] {
  const on = (name: string, input: OpCase['inputs'][number], noGradient?: string): OpCase => ({
    name,
    inputs: [input],
    run: ([x]) => run(x),
    ...(noGradient !== undefined && { noGradient }),
  });
  return [
    on('a matrix', random([3, 5], min, max)),
    on('a scalar', random([], min, max)),
    on('no values', random([0, 4], min, max)),
    on('an odd length', random([1031], min, max), large),
    on('several workgroups', random([70, 300], min, max), large),
    on('zeros, extremes, infinities and NaN', values(special), nonFinite),
  ];
}

const exact = (run: (x: Tensor) => Tensor): OpCases => ({ tolerance: 'exact', cases: cases(run) });
const rounded = (run: (x: Tensor) => Tensor, min?: number, max?: number): OpCases => ({
  tolerance: rounding,
  cases: cases(run, min, max),
});

export const unaryCases = {
  neg: exact(ops.neg),
  abs: exact(ops.abs),
  relu: exact(ops.relu),
  clamp: exact((x) => ops.clamp(x, -0.75, 1.25)),
  leakyRelu: rounded((x) => ops.leakyRelu(x, 0.2)),
  exp: rounded(ops.exp),
  log: rounded(ops.log, 0.2, 3),
  sqrt: rounded(ops.sqrt, 0.2, 3),
  square: rounded(ops.square),
  reciprocal: rounded(ops.reciprocal, 0.4, 3),
  tanh: rounded(ops.tanh),
  sigmoid: rounded(ops.sigmoid),
  softplus: rounded(ops.softplus),
} satisfies Record<string, OpCases>;
