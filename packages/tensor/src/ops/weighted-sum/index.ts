export { gatherDot, gatherMul, weightedSum } from './weighted-sum.op.ts';
export type { GatherDotOptions, GatherMulOptions, WeightedSumOptions } from './weighted-sum.op.ts';
