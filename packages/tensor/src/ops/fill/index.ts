export { onesLike, zerosLike } from './fill.op.ts';
