export { grad, parameter, stopGradient, valueAndGrad } from './grad.ts';
export type { ValueAndGrads, ValueAndRowGrads } from './grad.ts';
export { recompute } from './recompute.ts';
