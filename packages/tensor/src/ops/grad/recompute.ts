import { makeRecompute } from '../../autograd/recompute.ts';
import { arithmetic } from './arithmetic.ts';

/**
 * The tensor that `fn` computes. Gradients flow through as ever, to all that `fn` reads; but the tape keeps only
 * what
 * `fn` read and not what it made, and runs the same ops once more in the backward pass. Less memory for more time.
 *
 * @example
 * const x = tensor([1, 2]);
 * const [slope] = grad(() => sum(recompute(() => square(exp(x)))), [x]);
 */
export const recompute = makeRecompute(arithmetic);
