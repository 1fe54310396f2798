import { bytesOf, edgeTypes, noise, noiseIds, sizes, sortedNoiseIds, width } from '../../bench/bench-case.ts';
import type { BenchCase, BenchSize } from '../../bench/bench-case.ts';
import { rowIndex, segments } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { attendedBiasGradOp, attendedSumGradOp } from '../attended-sum/attended-sum-grad.op.ts';
import { attendedSum } from '../attended-sum/attended-sum.op.ts';
import { edgeDotRowsGrad, edgeDotWeightGrad } from '../edge-dot/edge-dot-grad.op.ts';
import { edgeDot } from '../edge-dot/edge-dot.op.ts';
import { gatherSum } from '../gather/gather-sum.op.ts';
import { gather, scatterAdd } from '../gather/gather.op.ts';
import { typedLinear, typedOuter } from '../typed-linear/typed-linear.op.ts';
import { gatherPair } from '../scatter-all/gather-pair.op.ts';
import { scatterAddAll } from '../scatter-all/scatter-add-all.op.ts';
import { gatherMul, weightedSum } from '../weighted-sum/weighted-sum.op.ts';
import { segmentMax } from './segment-max.op.ts';
import { segmentSoftmax, segmentSoftmaxGradOp } from './segment-softmax.op.ts';
import { segmentSum } from './segment-sum.op.ts';

const senders = ({ nodes, edges }: BenchSize): RowIndex => segments(sortedNoiseIds(edges, nodes), nodes);
const receivers = ({ nodes, edges }: BenchSize): RowIndex => rowIndex(noiseIds(edges, nodes), nodes);
const types = ({ edges }: BenchSize): RowIndex => rowIndex(noiseIds(edges, edgeTypes), edgeTypes);

type Case = Omit<BenchCase, 'name'>;

/** One case a size, named by its edges and nodes. */
const graphs = (make: (size: BenchSize) => Case): BenchCase[] =>
  sizes.map((size) => ({ name: `${size.edges} edges, ${size.nodes} nodes`, ...make(size) }));

/** Rows of edges reduced to rows of nodes. */
const reduced = (
  run: (x: Tensor, index: RowIndex) => Tensor,
  index: (size: BenchSize) => RowIndex,
): BenchCase[] =>
  graphs((size) => ({
    inputs: () => [noise([size.edges, width])],
    prepare: () => {
      const made = index(size);
      return ([x]) => run(x, made);
    },
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges]),
  }));

const edgeIndices = (size: BenchSize): { senders: RowIndex; receivers: RowIndex; types: RowIndex } => ({
  senders: senders(size),
  receivers: receivers(size),
  types: types(size),
});

export const graphBench = {
  gather: graphs((size) => ({
    inputs: () => [noise([size.nodes, width])],
    prepare: () => {
      const index = receivers(size);
      return ([x]) => gather(x, index);
    },
    // Every row that is written was read.
    bytes: 2 * bytesOf([size.edges, width]) + bytesOf([size.edges]),
  })),
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
      return ([x, y, base]) =>
        scatterAddAll(
          [
            { rows: x, index: first },
            { rows: y, index: second },
          ],
          base,
        );
    },
    bytes: 2 * bytesOf([size.edges, width], [size.edges], [size.nodes, width]),
  })),
  gatherMul: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.nodes])],
    prepare: () => {
      const index = receivers(size);
      return ([x, y]) => gatherMul(x, y, { yRows: index });
    },
    bytes: bytesOf([size.edges], [size.edges], [size.nodes], [size.edges]),
  })),
  weightedSum: graphs((size) => ({
    inputs: () => [noise([size.edges]), noise([size.edges, width])],
    prepare: () => {
      const to = receivers(size);
      return ([w, x]) => weightedSum(w, x, { to });
    },
    bytes: bytesOf([size.edges], [size.edges, width], [size.nodes, width], [size.edges]),
  })),
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
      return (inputs) => attendedSumGradOp.apply([...inputs, from.ids, into.ids], {});
    },
    bytes: 3 * bytesOf([size.edges, width]) + bytesOf([size.edges], [size.edges]),
  })),
  attendedBiasGrad: graphs((size) => ({
    inputs: () => [noise([size.edges, width]), noise([size.nodes, width]), noise([width])],
    prepare: () => (inputs) => attendedBiasGradOp.apply(inputs, {}),
    bytes: bytesOf([size.edges, width]),
  })),
  scatterAdd: reduced(scatterAdd, receivers),
  segmentSum: reduced(segmentSum, senders),
  segmentMax: reduced(segmentMax, senders),
  gatherSum: graphs((size) => ({
    inputs: () => [noise([size.nodes, width])],
    prepare: () => {
      const [from, to] = [senders(size), receivers(size)];
      return ([x]) => gatherSum(x, from, to);
    },
    bytes: bytesOf([size.edges, width], [size.nodes, width], [size.edges], [size.edges]),
  })),
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
      return ([y, g]) => segmentSoftmaxGradOp.apply([y, g, index.offsets], { index });
    },
    bytes: bytesOf([size.edges], [size.edges], [size.edges], [size.nodes]),
  })),
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
