import { bytesOf, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, receivers, reduced, senders } from '../../bench/graph-case.ts';
import { gatherSum } from './gather-sum.op.ts';
import { gather, scatterAdd } from './gather.op.ts';

export const gatherBench = {
  gather: graphs((size) => ({
    inputs: () => [noise([size.nodes, width])],
    prepare: () => {
      const index = receivers(size);
      return ([x]) => gather(x, index);
    },
    // Every row that is written was read.
    bytes: 2 * bytesOf([size.edges, width]) + bytesOf([size.edges]),
  })),
  scatterAdd: reduced(scatterAdd, receivers),
  gatherSum: graphs((size) => ({
    inputs: () => [noise([size.nodes, width])],
    prepare: () => {
      const [from, to] = [senders(size), receivers(size)];
      return ([x]) => gatherSum(x, from, to);
    },
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges], [size.edges]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
