export { gatherPair } from './gather-pair.op.ts';
export type { Scattered } from './scatter-add-all.op.ts';
