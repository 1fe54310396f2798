export { grad, parameter, stopGradient, valueAndGrad } from './grad.ts';
export type { ValueAndGrads } from './grad.ts';
export { recompute } from './recompute.ts';
