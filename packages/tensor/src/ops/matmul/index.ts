export { matmul } from './matmul.op.ts';
export type { MatmulAttrs } from './matmul.op.ts';
