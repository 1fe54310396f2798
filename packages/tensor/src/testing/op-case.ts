/** What a test case of an op is, and how to write one in a line. */
import type { DType, NdArray } from '../core/dtype.ts';
import { sizeOf } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';
import { philox } from '../random/philox.ts';

/** One call of an op, and the values it is called with. */
export interface OpCase {
  /** Completes the sentence "<op> on <name>". */
  readonly name: string;
  readonly inputs: readonly NdArray[];
  /** Calls the op as a user would; indices are made inside, on the backend under test. */
  readonly run: (inputs: readonly Tensor[]) => Tensor | readonly Tensor[];
  /** Why finite differences cannot judge this case (a kink, a tie, too large). */
  readonly noGradient?: string;
}

/** How far a float32 backend may lie from the float64 reference. 'exact' for ops that only move values. */
export type Tolerance = 'exact' | { readonly absolute: number; readonly relative: number };

/** The cases of an op. */
export interface OpCases {
  readonly tolerance: Tolerance;
  readonly cases: readonly OpCase[];
  /** Why there is no gradient of the gradient; absent where the backward is written with ops. */
  readonly noSecondOrder?: string;
}

/** A composed function brings its own definition, independent of the ops it is composed of. */
export interface ComposedCase extends OpCase {
  readonly expected: (inputs: readonly NdArray[]) => ArrayLike<number>;
}

/** The cases of a composed function. */
export interface ComposedCases extends OpCases {
  readonly cases: readonly ComposedCase[];
}

/** A few roundings of float32. */
export const rounding: Tolerance = { absolute: 1e-6, relative: 2e-6 };
/** Sums of up to some thousand terms of order 1. */
export const summation: Tolerance = { absolute: 2e-5, relative: 2e-5 };

let drawn = 0;

/**
 * Evenly spread float32 values in [min, max), different for every call.
 *
 * @example
 * const input = random([2, 3], 0, 1);
 */
export function random(shape: Shape, min = -1, max = 1): NdArray {
  drawn += 1;
  const seed = drawn;
  const block = new Uint32Array(4);
  const data = Float32Array.from({ length: sizeOf(shape) }, (_, i) => {
    philox(block, i, 0, 0, 0, seed, 0);
    return min + (max - min) * (block[0] / 2 ** 32);
  });
  return { shape, dtype: 'float32', data };
}

/**
 * Values drawn from 0 … count−1.
 *
 * @example
 * const receivers = randomIds(100, 7);
 */
export function randomIds(length: number, count: number): number[] {
  return Array.from(random([length], 0, count).data, Math.floor);
}

/**
 * The same, in ascending order.
 *
 * @example
 * const senders = sortedIds(100, 7);
 */
export function sortedIds(length: number, count: number): number[] {
  return randomIds(length, count).sort((a, b) => a - b);
}

/**
 * Flat values under a shape.
 *
 * @example
 * const ids = values([2, 0, 1], [3], 'int32');
 */
export function values(
  data: readonly number[],
  shape: Shape = [data.length],
  dtype: DType = 'float32',
): NdArray {
  return { shape, dtype, data: dtype === 'float32' ? Float32Array.from(data) : Int32Array.from(data) };
}

/** Why a case has no gradient check. */
export const large = 'too many values for finite differences';
/** Why a case has no gradient check. */
export const nonFinite = 'infinite or undefined there';
