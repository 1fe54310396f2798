import { linear, matmul, rejectUnknownOptions, reshape, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expectExtents } from '../options.ts';
import { showShape } from '../shape.ts';
import { startAffine } from './affine-parameters.ts';
import type { AffineParameters, AffineStart } from './affine-parameters.ts';

/** Sizes of a linear layer, and how its parameters start. */
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
    if (!b) return matmul(x, w);
    if (x.rank === 2) return linear(x, w, b);
    const rows = reshape(x, [x.size / width, width]);
    return reshape(linear(rows, w, b), [...x.shape.slice(0, -1), out]);
  };
  return b ? { w, b, apply } : { w, apply };
}
