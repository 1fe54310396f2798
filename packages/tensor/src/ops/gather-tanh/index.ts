export { gatherTanh } from './gather-tanh.op.ts';
export type { GatheredRows } from './gather-tanh.op.ts';
