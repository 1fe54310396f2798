/** How a layer is told that it is being trained. */
import { rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import { expectWhole } from '../options.ts';

/**
 * What layers that behave otherwise in training take as their last argument. Given it, they train; without it, they
 * evaluate. It is one value for all layers of a model, so that a model hands on what it was given.
 */
export interface Training {
  /** Which step of training this is, a whole number ≥ 0: `adam.step`, say. Dropout draws anew for each. */
  readonly step: number;
}

/** Raises unless `training` says which step it is, so that a mistaken argument never means evaluation. */
export function expectTraining(where: string, training: Training): void {
  const given: unknown = training;
  if (typeof given !== 'object' || given === null) {
    throw new TensorError(
      where,
      'option',
      `training must be { step }, or left out to evaluate, got ${String(given)}`,
    );
  }
  rejectUnknownOptions(where, given, ['step']);
  expectWhole(where, 'step', training.step);
}
