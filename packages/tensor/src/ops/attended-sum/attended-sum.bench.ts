import { bytesOf, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, receivers, senders } from '../../bench/graph-case.ts';
import { attendedBiasGradOp, attendedSumGradOp } from './attended-sum-grad.op.ts';
import { attendedSum } from './attended-sum.op.ts';

export const attendedSumBench = {
  attendedSum: graphs((size) => ({
    inputs: () => [noise([size.nodes, width]), noise([size.edges]), noise([width])],
    prepare: () => {
      const ends = { from: senders(size), into: receivers(size) };
      return ([values, weights, bias]) => attendedSum(values, { ...ends, weights, bias });
    },
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges], [size.edges], [size.edges]),
  })),
  attendedSumGrad: graphs((size) => ({
    inputs: () => [
      noise([size.nodes, width]),
      noise([size.nodes, width]),
      noise([size.edges]),
      noise([width]),
    ],
    prepare: () => {
      const [from, into] = [senders(size), receivers(size)];
      return ([dout, values, weights, bias]) =>
        Object.values(attendedSumGradOp.apply({ dout, values, weights, bias, from, into }, {}));
    },
    bytes: 3 * bytesOf([size.edges, width]) + bytesOf([size.edges], [size.edges]),
  })),
  attendedBiasGrad: graphs((size) => ({
    inputs: () => [noise([size.edges, width]), noise([size.nodes, width]), noise([width])],
    prepare:
      () =>
      ([slopes, dout, bias]) =>
        attendedBiasGradOp.apply({ slopes, dout, bias }, {}).out,
    bytes: bytesOf([size.edges, width]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
