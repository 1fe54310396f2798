/** Comparison of values within an op's tolerance, reporting as a reader wants it: where, what, how far. */
import type { DataArray } from '../core/dtype.ts';
import type { Tolerance } from './op-case.ts';

/** Undefined if all values agree; otherwise the first bad index, both values, and the largest error. */
export function difference(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: Tolerance,
): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} values, expected ${expected.length}`;
  let first = -1;
  let worst = 0;
  for (let i = 0; i < actual.length; i++) {
    if (agrees(actual[i], expected[i], tolerance)) continue;
    if (first < 0) first = i;
    worst = Math.max(worst, Math.abs(actual[i] - expected[i]));
  }
  if (first < 0) return undefined;
  return `at ${first}: ${actual[first]}, expected ${expected[first]}; largest error ${worst}`;
}

/** Throws the first difference of several arrays, each called by `what` and its number. */
export function requireAgreement(
  what: string,
  actual: readonly DataArray[],
  expected: readonly ArrayLike<number>[],
  tolerance: Tolerance,
): void {
  for (const [k, data] of actual.entries()) {
    const problem = difference(data, expected[k], tolerance);
    if (problem !== undefined) throw new Error(`${what} ${k} ${problem}`);
  }
}

/** Throws where the bits of two runs differ. JavaScript and wasm leave a NaN's own bits open, so any two are the same. */
export function requireSameBits(
  what: string,
  first: readonly DataArray[],
  second: readonly DataArray[],
): void {
  for (const [k, data] of first.entries()) {
    const again = second[k];
    const bits = bitsOf(again);
    const areNaN = (i: number): boolean => Number.isNaN(data[i]) && Number.isNaN(again[i]);
    const at = bitsOf(data).findIndex((bit, i) => bit !== bits[i] && !areNaN(i));
    if (at < 0 && data.length === again.length) continue;
    throw new Error(`${what} ${k} at ${at} has other bits in a second run: ${data[at]}, then ${again[at]}`);
  }
}

function bitsOf({ buffer, byteOffset, byteLength }: DataArray): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function agrees(actual: number, expected: number, tolerance: Tolerance): boolean {
  if (Object.is(actual, expected) || actual === expected) return true;
  if (!Number.isFinite(actual) || !Number.isFinite(expected)) {
    // A float32 result may overflow where float64 does not.
    return actual === Math.fround(expected);
  }
  if (tolerance === 'exact') return actual === Math.fround(expected);
  return Math.abs(actual - expected) <= tolerance.absolute + tolerance.relative * Math.abs(expected);
}

/** The largest difference, relative to the largest value of either. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  let scale = 0;
  for (let i = 0; i < a.length; i++) {
    error = Math.max(error, Math.abs(a[i] - b[i]));
    scale = Math.max(scale, Math.abs(a[i]), Math.abs(b[i]));
  }
  return error === 0 ? 0 : error / scale;
}
