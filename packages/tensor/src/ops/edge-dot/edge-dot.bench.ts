import { bytesOf, edgeTypes, noise, width } from '../../bench/bench-case.ts';
import type { BenchCase, BenchSize } from '../../bench/bench-case.ts';
import { graphs, receivers, senders, types } from '../../bench/graph-case.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { edgeDotRowsGrad, edgeDotWeightGrad } from './edge-dot-grad.op.ts';
import { edgeDot } from './edge-dot.op.ts';

const edgeIndices = (size: BenchSize): { senders: RowIndex; receivers: RowIndex; types: RowIndex } => ({
  senders: senders(size),
  receivers: receivers(size),
  types: types(size),
});

export const edgeDotBench = {
  edgeDot: graphs((size) => ({
    inputs: () => [
      noise([size.nodes, width]),
      noise([size.nodes, width]),
      noise([edgeTypes, 3 * width]),
      noise([edgeTypes]),
    ],
    prepare: () => {
      const edges = edgeIndices(size);
      return ([x, y, weight, bias]) => edgeDot(x, y, { ...edges, weight, bias });
    },
    flops: 6 * size.edges * width,
    bytes: bytesOf([size.edges, 2 * width], [size.edges, 4]),
  })),
  edgeDotRowsGrad: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.nodes, width]), noise([edgeTypes, 3 * width])],
    prepare: () => {
      const attrs = { ...edgeIndices(size), side: 'senders' } as const;
      return ([g, other, weight]) => edgeDotRowsGrad(g, other, weight, attrs);
    },
    flops: 4 * size.edges * width,
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges, 4]),
  })),
  edgeDotWeightGrad: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.nodes, width]), noise([size.nodes, width])],
    prepare: () => {
      const edges = edgeIndices(size);
      return ([g, x, y]) => edgeDotWeightGrad(g, x, y, edges);
    },
    flops: 7 * size.edges * width,
    bytes: bytesOf([size.edges, 2 * width], [size.edges, 4]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
