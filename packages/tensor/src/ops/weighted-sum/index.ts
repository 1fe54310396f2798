export { gatherMul } from './weighted-sum.op.ts';
export type { GatherMulAttrs } from './weighted-sum.op.ts';
