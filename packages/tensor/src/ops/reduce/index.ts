export { argmax } from './argmax.op.ts';
export { max } from './max.op.ts';
export { mean, sum, sumTo } from './sum.op.ts';
export type { ReduceOptions } from './sum.op.ts';
