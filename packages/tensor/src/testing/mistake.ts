/** What a mistake case of an op is: errors are part of the interface. */
import type { TensorErrorCode } from '../core/errors.ts';
import type { Tensor } from '../core/tensor.ts';
import { zeros } from '../create/create.ts';

/** A wrong call, and what it is answered with. */
export type Mistake = readonly [call: () => unknown, code: TensorErrorCode, message: string];

/** The wrong calls of a function, or why it has none. */
export type Mistakes = readonly Mistake[] | { readonly none: string };

/** For ops that only the backward of another calls: the checks of that one come first. */
export const calledByBackwardOf = (op: string): Mistakes => ({
  none: `only the backward of ${op} calls it, whose checks come first`,
});

export const floats = (...shape: number[]): Tensor => zeros(shape);
export const ints = (...shape: number[]): Tensor => zeros(shape, { dtype: 'int32' });
