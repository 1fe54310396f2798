import { bytesOf, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, receivers, senders } from '../../bench/graph-case.ts';
import { gatherTanh } from './gather-tanh.op.ts';

export const gatherTanhBench = {
  gatherTanh: graphs((size) => ({
    inputs: () => [noise([size.nodes, width]), noise([size.nodes, width])],
    prepare: () => {
      const [from, to] = [senders(size), receivers(size)];
      return ([x, y]) =>
        gatherTanh([
          { x, index: from },
          { x: y, index: to },
        ]);
    },
    bytes: 3 * bytesOf([size.edges, width]) + bytesOf([size.edges], [size.edges]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
