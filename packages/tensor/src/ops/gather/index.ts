export { gatherSum } from './gather-sum.op.ts';
export { gather, scatterAdd } from './gather.op.ts';
