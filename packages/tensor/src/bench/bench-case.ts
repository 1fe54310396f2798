/** What a benchmark case of an op is. Sizes follow the paper's 32×32 world at batch 1, 4 and 16, d = 40. */
import type { DType, NdArray } from '../core/dtype.ts';
import { sizeOf } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';

/** Runs the op once; a case prepares its indices beforehand, outside the measurement. */
export type BenchRun = (inputs: readonly Tensor[]) => Tensor | readonly Tensor[];

/** A size at which an op is measured: its inputs, and how to run it. */
export interface BenchCase {
  /** The size, as a reader would write it. */
  readonly name: string;
  /** Made when asked for: some are large. */
  inputs(): readonly NdArray[];
  prepare(): BenchRun;
  /** Floating-point operations of one run, for ops that are bound by arithmetic. */
  readonly flops?: number;
  /** Bytes that one run must read and write at least. */
  readonly bytes: number;
}

export interface BenchSize {
  readonly nodes: number;
  readonly edges: number;
}

/** Smallest first. */
export const sizes: readonly BenchSize[] = [1, 4, 16].map((batch) => ({
  nodes: 921 * batch,
  edges: 7267 * batch,
}));

export const width = 40;
export const edgeTypes = 9;

/**
 * Pseudo-random values in [min, max), cheap to make.
 *
 * @example
 * const values = noise([2, 2]); // the same numbers at every call
 */
export function noise(shape: Shape, min = -1, max = 1): NdArray {
  const next = xorshift(sizeOf(shape));
  const data = Float32Array.from({ length: sizeOf(shape) }, () => min + (max - min) * (next() / 2 ** 32));
  return { shape, dtype: 'float32', data };
}

/**
 * Pseudo-random ids in 0 … count−1.
 *
 * @example
 * const ids = noiseIds(10, 3); // ten ids of 0, 1, 2
 */
export function noiseIds(length: number, count: number): Int32Array {
  const next = xorshift(length + count);
  return Int32Array.from({ length }, () => next() % count);
}

/**
 * Ids as `noiseIds` gives them, sorted: those of segments.
 *
 * @example
 * const ids = sortedNoiseIds(10, 3);
 */
export function sortedNoiseIds(length: number, count: number): Int32Array {
  return noiseIds(length, count).sort();
}

export function integers(shape: Shape, dtype: Exclude<DType, 'float32'>, count: number): NdArray {
  return { shape, dtype, data: noiseIds(sizeOf(shape), count) };
}

/** 4-byte elements to bytes. */
export function bytesOf(...shapes: readonly Shape[]): number {
  return shapes.reduce((total, shape) => total + 4 * sizeOf(shape), 0);
}

function xorshift(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}
