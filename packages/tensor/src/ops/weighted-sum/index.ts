export { gatherMul } from './weighted-sum.op.ts';
export type { GatherMulOptions } from './weighted-sum.op.ts';
