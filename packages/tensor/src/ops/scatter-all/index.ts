export { gatherPair } from './gather-pair.op.ts';
