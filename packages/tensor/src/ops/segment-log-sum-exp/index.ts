export { segmentLogSumExp } from './segment-log-sum-exp.op.ts';
