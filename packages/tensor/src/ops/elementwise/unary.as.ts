/**
 * Elementwise functions of one tensor. A unit is 64 bytes; buffers are padded to whole units, so there is no
 * remainder: what lies past the last value is computed and never read.
 */
import { exp4, sigmoid4, tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { log4, softplus4 } from '../../backends/wasm/assembly/logarithm.as';

@inline
const bytes = 6;

export function neg(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, f32x4.neg(v128.load(x + p)));
}

export function exp(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, exp4(v128.load(x + p)));
}

export function log(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, log4(v128.load(x + p)));
}

export function sqrt(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, f32x4.sqrt(v128.load(x + p)));
}

export function square(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) {
    const v = v128.load(x + p);
    v128.store(y + p, f32x4.mul(v, v));
  }
}

export function abs(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, f32x4.abs(v128.load(x + p)));
}

export function reciprocal(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) {
    v128.store(y + p, f32x4.div(f32x4.splat(1), v128.load(x + p)));
  }
}

export function tanh(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, tanh4(v128.load(x + p)));
}

export function sigmoid(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, sigmoid4(v128.load(x + p)));
}

/** x < 0 ? 0 : x, so that −0 and NaN stay. */
export function relu(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) {
    const v = v128.load(x + p);
    v128.store(y + p, v128.andnot(v, f32x4.lt(v, f32x4.splat(0))));
  }
}

export function leakyRelu(start: i32, end: i32, x: usize, y: usize, slope: f32): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) {
    const v = v128.load(x + p);
    v128.store(y + p, v128.bitselect(f32x4.mul(v, f32x4.splat(slope)), v, f32x4.lt(v, f32x4.splat(0))));
  }
}

export function softplus(start: i32, end: i32, x: usize, y: usize): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) v128.store(y + p, softplus4(v128.load(x + p)));
}

/** pmin and pmax keep a NaN in their first operand. */
export function clamp(start: i32, end: i32, x: usize, y: usize, low: f32, high: f32): void {
  const stop = <usize>end << bytes;
  for (let p = <usize>start << bytes; p < stop; p += 16) {
    v128.store(y + p, f32x4.pmin(f32x4.pmax(v128.load(x + p), f32x4.splat(low)), f32x4.splat(high)));
  }
}
