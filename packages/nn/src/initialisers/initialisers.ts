/** Start values of parameters, drawn from an explicit key. */
import { full, rejectUnknownOptions, TensorError, truncatedNormal, uniform, zeros } from '@flowgrad/tensor';
import type { RandomKey, Shape, Tensor } from '@flowgrad/tensor';
import { expectNumber } from '../options.ts';
import { showShape } from '../shape.ts';

/** Makes the start values of a parameter. The same key and shape give the same values on every backend. */
export type Initialiser = (key: RandomKey, shape: Shape) => Tensor;

/**
 * Uniform in ±√(6 / (T·(in + out))) for a kernel [in, out] (T = 1) or a stack of T kernels [..., in, out], where T is
 * the product of the leading extents (Glorot and Bengio, 2010, with the fans counted over the whole stack).
 */
function glorotUniform(): Initialiser {
  return (key, shape) => {
    if (shape.length < 2) {
      throw new TensorError(
        'glorotUniform',
        'shape',
        `expected a kernel [..., in, out], got shape ${showShape(shape)}`,
      );
    }
    const [fanIn, fanOut] = shape.slice(-2);
    const stacked = shape.slice(0, -2).reduce((product, extent) => product * extent, 1);
    const limit = Math.sqrt(6 / (stacked * (fanIn + fanOut)));
    return uniform(key, shape, { min: -limit, max: limit });
  };
}

/** Gaussian around 0, drawn again beyond two standard deviations. */
function truncatedNormalAround0(options: { readonly standardDeviation?: number } = {}): Initialiser {
  rejectUnknownOptions('initialisers.truncatedNormal', options, ['standardDeviation']);
  const { standardDeviation = 0.01 } = options;
  return (key, shape) => truncatedNormal(key, shape, { standardDeviation });
}

/** `value` everywhere. */
function constant(value: number): Initialiser {
  expectNumber('initialisers.constant', 'value', value, 'a finite number', Number.isFinite(value));
  return (_key, shape) => full(shape, value);
}

/** How parameters start: Glorot's uniform, a truncated normal around 0, a constant, zeros. */
export const initialisers = {
  glorotUniform,
  truncatedNormal: truncatedNormalAround0,
  constant,
  zeros: (): Initialiser => (_key, shape) => zeros(shape),
} as const;
