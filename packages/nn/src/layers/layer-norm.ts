import { mean, rejectUnknownOptions, scope, square, sub } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { expectRows, scaleAndShift, startNorm } from './normalisation.ts';
import type { NormOptions, NormParameters } from './normalisation.ts';

/** Parameters `gain` [d] and `shift` [d]. */
export interface LayerNorm extends NormParameters {
  /** x [.., n, d] → the same shape; alike in training and evaluation. */
  apply(this: void, x: Tensor): Tensor;
}

/**
 * Layer normalisation (Ba et al., 2016): each row by its own mean and variance.
 *
 *   y = gain ⊙ (x − μ) / √(σ² + ε) + shift,   μ = Σ_c x_c / d,   σ² = Σ_c (x_c − μ)² / d
 */
export function createLayerNorm(options: NormOptions): LayerNorm {
  const where = 'createLayerNorm';
  rejectUnknownOptions(where, options, ['d', 'epsilon']);
  const start = startNorm(where, options);
  const apply = (x: Tensor): Tensor => {
    expectRows('layerNorm', x, options.d);
    return scope(() => {
      const centred = sub(x, mean(x, -1, { keepDims: true }));
      return scaleAndShift(centred, mean(square(centred), -1, { keepDims: true }), start);
    }, 'layerNorm');
  };
  return { gain: start.gain, shift: start.shift, apply };
}
