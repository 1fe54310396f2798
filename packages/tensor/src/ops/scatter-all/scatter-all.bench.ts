import { bytesOf, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, receivers, senders } from '../../bench/graph-case.ts';
import { scatteredRows } from '../../core/gradient.ts';
import { gatherPair } from './gather-pair.op.ts';
import { scatterAddAll } from './scatter-add-all.op.ts';

export const scatterAllBench = {
  gatherPair: graphs((size) => ({
    inputs: () => [noise([size.nodes, width])],
    prepare: () => {
      const [first, second] = [senders(size), receivers(size)];
      return ([x]) => gatherPair(x, first, second);
    },
    bytes: 4 * bytesOf([size.edges, width]) + bytesOf([size.edges], [size.edges]),
  })),
  scatterAddAll: graphs((size) => ({
    inputs: () => [noise([size.edges, width]), noise([size.edges, width]), noise([size.nodes, width])],
    prepare: () => {
      const [first, second] = [senders(size), receivers(size)];
      return ([x, y, base]) => scatterAddAll([scatteredRows(x, first), scatteredRows(y, second)], base);
    },
    bytes: 2 * bytesOf([size.edges, width], [size.edges], [size.nodes, width]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
