export { adamRows } from './adam-rows.op.ts';
export type { AdamRowsAttrs } from './adam-rows.op.ts';
export { adamUpdate } from './adam-update.op.ts';
export type { AdamAttrs } from './adam-update.op.ts';
