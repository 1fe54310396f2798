import { bytesOf, noise } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { graphs, reduced, senders } from '../../bench/graph-case.ts';
import { segmentMax } from './segment-max.op.ts';
import { segmentSoftmax, segmentSoftmaxGradOp } from './segment-softmax.op.ts';
import { segmentSum } from './segment-sum.op.ts';

export const segmentBench = {
  segmentSum: reduced(segmentSum, senders),
  segmentMax: reduced(segmentMax, senders),
  segmentSoftmax: graphs((size) => ({
    inputs: () => [noise([size.edges])],
    prepare: () => {
      const index = senders(size);
      return ([x]) => segmentSoftmax(x, index);
    },
    bytes: bytesOf([size.edges], [size.edges], [size.nodes]),
  })),
  segmentSoftmaxGrad: graphs((size) => ({
    inputs: () => [noise([size.edges], 0, 1), noise([size.edges])],
    prepare: () => {
      const index = senders(size);
      return ([y, g]) => segmentSoftmaxGradOp.apply({ y, g, segments: index }, {}).dx;
    },
    bytes: bytesOf([size.edges], [size.edges], [size.edges], [size.nodes]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
