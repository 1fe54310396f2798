import type { BenchCase } from '../../bench/bench-case.ts';
import { one, two } from '../../bench/rows-case.ts';
import * as binary from './binary.op.ts';
import * as unary from './unary.op.ts';

export const elementwiseBench = {
  neg: one(unary.neg),
  exp: one(unary.exp),
  log: one(unary.log, 0.1, 4),
  sqrt: one(unary.sqrt, 0.1, 4),
  square: one(unary.square),
  abs: one(unary.abs),
  reciprocal: one(unary.reciprocal, 0.5, 2),
  tanh: one(unary.tanh),
  sigmoid: one(unary.sigmoid),
  relu: one(unary.relu),
  leakyRelu: one((x) => unary.leakyRelu(x, 0.2)),
  softplus: one(unary.softplus),
  clamp: one((x) => unary.clamp(x, -1, 1)),
  add: two(binary.add),
  sub: two(binary.sub),
  mul: two(binary.mul),
  div: two(binary.div),
  tanhGrad: two(binary.tanhGrad),
  maximum: two(binary.maximum),
  minimum: two(binary.minimum),
  pow: two(binary.pow),
  equal: two(binary.equal),
  notEqual: two(binary.notEqual),
  less: two(binary.less),
  lessEqual: two(binary.lessEqual),
  greater: two(binary.greater),
  greaterEqual: two(binary.greaterEqual),
} satisfies Record<string, readonly BenchCase[]>;
