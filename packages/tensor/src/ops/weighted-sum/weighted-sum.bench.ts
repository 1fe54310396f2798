import { bytesOf, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, receivers } from '../../bench/graph-case.ts';
import { gatherDot, gatherMul, weightedSum } from './weighted-sum.op.ts';

export const weightedSumBench = {
  gatherMul: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.nodes])],
    prepare: () => {
      const index = receivers(size);
      return ([x, y]) => gatherMul(x, y, { yRows: index });
    },
    bytes: bytesOf([size.edges], [size.edges], [size.nodes], [size.edges]),
  })),
  gatherDot: graphs((size) => ({
    inputs: () => [noise([size.nodes, width]), noise([size.edges, width])],
    prepare: () => {
      const xRows = receivers(size);
      return ([x, y]) => gatherDot(x, y, { xRows });
    },
    bytes: bytesOf([size.nodes, width], [size.edges, width], [size.edges], [size.edges]),
  })),
  weightedSum: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.edges, width])],
    prepare: () => {
      const to = receivers(size);
      return ([w, x]) => weightedSum(w, x, { to });
    },
    bytes: bytesOf([size.edges], [size.edges, width], [size.nodes, width], [size.edges]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
