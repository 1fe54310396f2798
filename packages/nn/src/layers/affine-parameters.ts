/** The weight and bias that Linear and TypedLinear share. */
import { scope } from '@flowgrad/tensor';
import type { RandomKey, Shape, Tensor } from '@flowgrad/tensor';
import { initialisers } from '../initialisers/initialisers.ts';
import type { Initialiser } from '../initialisers/initialisers.ts';
import { expectKey } from '../options.ts';
import { startParameter } from './start-parameter.ts';

/** How the parameters of x·W + b start. */
export interface AffineStart {
  readonly key: RandomKey;
  /** How the weight starts: Glorot uniform unless given. */
  readonly w?: Initialiser;
  /** How the bias starts: 0 unless given; false for no bias. */
  readonly b?: Initialiser | false;
}

/** The parameters of x·W + b. */
export interface AffineParameters {
  readonly w: Tensor;
  /** Absent when the layer was made with `b: false`. */
  readonly b?: Tensor;
}

export function startAffine(
  where: string,
  start: AffineStart,
  shapes: { readonly w: Shape; readonly b: Shape },
): AffineParameters {
  const { key, w = initialisers.glorotUniform(), b = initialisers.zeros() } = start;
  expectKey(where, key);
  return scope(() => {
    const weight = startParameter(where, 'w', w, key, shapes.w);
    return b === false ? { w: weight } : { w: weight, b: startParameter(where, 'b', b, key, shapes.b) };
  }, where);
}
