export { broadcastTo } from './broadcast-to.op.ts';
export { concat, stack } from './concat.op.ts';
export { pad } from './pad.op.ts';
export { permute, transpose } from './permute.op.ts';
export { reshape } from './reshape.op.ts';
export { slice, split } from './slice.op.ts';
