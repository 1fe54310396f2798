export { edgeDot } from './edge-dot.op.ts';
export type { EdgeDotOptions } from './edge-dot.op.ts';
