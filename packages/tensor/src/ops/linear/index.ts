export { linear } from './linear.op.ts';
