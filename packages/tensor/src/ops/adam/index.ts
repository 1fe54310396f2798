export { adamUpdate } from './adam-update.op.ts';
export type { AdamAttrs } from './adam-update.op.ts';
