export { cast } from './cast.op.ts';
