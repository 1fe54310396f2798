export { gruCell } from './gru-cell.op.ts';
export type { GruWeights } from './gru-cell.op.ts';
