export { typedLinear, typedOuter } from './typed-linear.op.ts';
