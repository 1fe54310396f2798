import { add, matmul, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expectExtents, rejectUnknownOptions } from '../options.ts';
import { showShape } from '../shape.ts';
import { startAffine } from './affine-parameters.ts';
import type { AffineParameters, AffineStart } from './affine-parameters.ts';

export interface LinearOptions extends AffineStart {
  readonly in: number;
  readonly out: number;
}

/** Parameters `w` [in, out] and `b` [out]. */
export interface Linear extends AffineParameters {
  /** x [.., n, in] → [.., n, out] */
  apply(this: void, x: Tensor): Tensor;
}

/** y = x·W + b, on rows. */
export function createLinear(options: LinearOptions): Linear {
  const where = 'createLinear';
  rejectUnknownOptions(where, options, ['in', 'out', 'key', 'w', 'b']);
  const { in: width, out } = options;
  expectExtents(where, { in: width, out });
  const { w, b } = startAffine(where, options, { w: [width, out], b: [out] });
  const apply = (x: Tensor): Tensor => {
    if (x.rank < 2 || x.shape.at(-1) !== width) {
      throw new TensorError(
        'linear',
        'shape',
        `x must have shape [.., n, ${width}], got ${showShape(x.shape)}`,
      );
    }
    const product = matmul(x, w);
    return b ? add(product, b) : product;
  };
  return b ? { w, b, apply } : { w, apply };
}
