import {
  add,
  assign,
  mean,
  mul,
  noGrad,
  ones,
  rejectUnknownOptions,
  scope,
  square,
  stopGradient,
  sub,
  TensorError,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { state } from '../module/state.ts';
import { expectNumber } from '../options.ts';
import { showShape } from '../shape.ts';
import { expectRows, scaleAndShift, startNorm } from './normalisation.ts';
import type { NormOptions, NormParameters } from './normalisation.ts';
import { expectTraining } from './training.ts';
import type { Training } from './training.ts';

/** What `createBatchNorm` takes. */
export interface BatchNormOptions extends NormOptions {
  /** How much of a batch's statistics goes into the running ones, in 0 < momentum ≤ 1: 0.1 unless given. */
  readonly momentum?: number;
}

/** What evaluation normalises by, both [d]: state, not parameters. */
export interface RunningStatistics {
  readonly mean: Tensor;
  readonly variance: Tensor;
}

/** Parameters `gain` [d] and `shift` [d]; state `running.mean` [d] and `running.variance` [d]. */
export interface BatchNorm extends NormParameters {
  readonly running: RunningStatistics;
  /**
   * x [.., n, d] → the same shape. In training by the mean and variance of these rows, at least two, which go into the
   * running ones in passing; without `training` by the running ones.
   */
  apply(this: void, x: Tensor, training?: Training): Tensor;
}

/**
 * Batch normalisation (Ioffe and Szegedy, 2015): each column by its mean and variance over the n rows of a batch.
 *
 *   y = gain ⊙ (x − μ) / √(σ² + ε) + shift,   μ = Σ_i x_i / n,   σ² = Σ_i (x_i − μ)² / n
 *   running mean ← (1 − η)·mean + η·μ,   running variance ← (1 − η)·variance + η·σ²·n / (n − 1)
 */
export function createBatchNorm(options: BatchNormOptions): BatchNorm {
  const where = 'createBatchNorm';
  rejectUnknownOptions(where, options, ['d', 'epsilon', 'momentum']);
  const { d, momentum = 0.1 } = options;
  expectNumber(where, 'momentum', momentum, 'in 0 < momentum ≤ 1', momentum > 0 && momentum <= 1);
  return scope(() => {
    const start = startNorm(where, options);
    const { gain, shift } = start;
    const running = { mean: state(zeros([d])), variance: state(ones([d])) };
    const train = (x: Tensor): Tensor => {
      const rows = countRows(x);
      const overRows = x.shape.slice(1).map((_, axis) => axis);
      const average = mean(x, overRows);
      const centred = sub(x, average);
      const variance = mean(square(centred), overRows);
      noGrad(() => {
        blend(running.mean, average, momentum, 1);
        blend(running.variance, variance, momentum, rows / (rows - 1));
      });
      return scaleAndShift(centred, variance, start);
    };
    const evaluate = (x: Tensor): Tensor => {
      // These views of the state are the caller's to free, as `recompute` reads them after this returns.
      const [average, variance] = [stopGradient(running.mean), stopGradient(running.variance)];
      return scope(() => scaleAndShift(sub(x, average), variance, start), 'batchNorm');
    };
    const apply = (x: Tensor, training?: Training): Tensor => {
      expectRows('batchNorm', x, d);
      if (training !== undefined) expectTraining('batchNorm', training);
      return training ? scope(() => train(x), 'batchNorm') : evaluate(x);
    };
    return { gain, shift, running, apply };
  }, where);
}

/** target ← (1 − η)·target + η·factor·batch */
function blend(target: Tensor, batch: Tensor, momentum: number, factor: number): void {
  assign(target, add(mul(target, 1 - momentum), mul(batch, momentum * factor)));
}

/** One row has no variance: it would be normalised to 0, whatever it says. */
function countRows(x: Tensor): number {
  const rows = x.shape.slice(0, -1).reduce((product, extent) => product * extent, 1);
  if (rows >= 2) return rows;
  throw new TensorError(
    'batchNorm',
    'shape',
    `expected at least 2 rows to train on, got x ${showShape(x.shape)} (leave out the last, partial batch)`,
  );
}
