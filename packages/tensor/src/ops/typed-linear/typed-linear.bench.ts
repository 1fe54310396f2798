import { bytesOf, edgeTypes, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, types } from '../../bench/graph-case.ts';
import { typedLinear, typedOuter } from './typed-linear.op.ts';

export const typedLinearBench = {
  typedLinear: graphs((size) => ({
    inputs: () => [noise([size.edges, width]), noise([edgeTypes, width, width])],
    prepare: () => {
      const index = types(size);
      return ([x, weight]) => typedLinear(x, weight, index);
    },
    flops: 2 * size.edges * width * width,
    bytes: bytesOf([size.edges, width], [size.edges, width], [edgeTypes, width, width]),
  })),
  typedOuter: graphs((size) => ({
    inputs: () => [noise([size.edges, width]), noise([size.edges, width])],
    prepare: () => {
      const index = types(size);
      return ([a, b]) => typedOuter(a, b, index);
    },
    flops: 2 * size.edges * width * width,
    bytes: bytesOf([size.edges, width], [size.edges, width], [edgeTypes, width, width]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
