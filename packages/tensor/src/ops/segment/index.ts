export { segmentMax } from './segment-max.op.ts';
export { segmentSoftmax } from './segment-softmax.op.ts';
export { segmentMean, segmentSum } from './segment-sum.op.ts';
