export { where } from './where.op.ts';
