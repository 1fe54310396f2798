export { logSoftmax, softmax } from './softmax.op.ts';
