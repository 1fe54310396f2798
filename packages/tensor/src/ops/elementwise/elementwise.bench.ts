import { bytesOf, integers, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import type { Tensor } from '../../core/tensor.ts';
import { addAll } from '../add-all/add-all.op.ts';
import { cast } from '../cast/cast.op.ts';
import { where } from '../where/where.op.ts';
import * as binary from './binary.op.ts';
import * as unary from './unary.op.ts';

const one = (run: (x: Tensor) => Tensor, min = -2, max = 2): BenchCase[] =>
  sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}]`,
    inputs: () => [noise([nodes, width], min, max)],
    prepare:
      () =>
      ([x]) =>
        run(x),
    bytes: bytesOf([nodes, width], [nodes, width]),
  }));

const two = (run: (a: Tensor, b: Tensor) => Tensor, min = 0.5, max = 2): BenchCase[] =>
  sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}] and the same`,
    inputs: () => [noise([nodes, width], min, max), noise([nodes, width], min, max)],
    prepare:
      () =>
      ([a, b]) =>
        run(a, b),
    bytes: bytesOf([nodes, width], [nodes, width], [nodes, width]),
  }));

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
  cast: one((x) => cast(x, 'int32')),
  addAll: two((a, b) => addAll([a, b], a.shape)),
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
  where: sizes.map(({ nodes }) => ({
    name: `[${nodes}, ${width}]`,
    inputs: () => [integers([nodes, width], 'bool', 2), noise([nodes, width]), noise([nodes, width])],
    prepare:
      () =>
      ([mask, a, b]) =>
        where(mask, a, b),
    bytes: bytesOf(...new Array<number[]>(4).fill([nodes, width])),
  })),
} satisfies Record<string, readonly BenchCase[]>;
