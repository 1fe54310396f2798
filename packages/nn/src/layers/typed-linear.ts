import { rejectUnknownOptions, typedLinear } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { expectExtents } from '../options.ts';
import { startAffine } from './affine-parameters.ts';
import type { AffineParameters, AffineStart } from './affine-parameters.ts';

/** The sizes of a linear layer per type, and how its parameters start. */
export interface TypedLinearOptions extends AffineStart {
  /** How many types there are, each with a kernel of its own. */
  readonly types: number;
  readonly in: number;
  readonly out: number;
}

/** Parameters `w` [types, in, out] and `b` [types, out]. */
export interface TypedLinear extends AffineParameters {
  /** x [n, in] and the type of each row → [n, out] */
  apply(this: void, x: Tensor, types: RowIndex): Tensor;
}

/** y[k] = x[k]·W[type k] + b[type k]: for edges, a kernel per edge type. */
export function createTypedLinear(options: TypedLinearOptions): TypedLinear {
  const where = 'createTypedLinear';
  rejectUnknownOptions(where, options, ['types', 'in', 'out', 'key', 'w', 'b']);
  const { types, in: width, out } = options;
  expectExtents(where, { types, in: width, out });
  const { w, b } = startAffine(where, options, { w: [types, width, out], b: [types, out] });
  const apply = (x: Tensor, typeOfRow: RowIndex): Tensor => typedLinear(x, w, typeOfRow, b);
  return b ? { w, b, apply } : { w, apply };
}
