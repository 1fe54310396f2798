/** adamRows: a unit is one of the rows. */
import { loadUpTo, madd, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/** base^n */
@inline
function powerOf(base: f32, n: i32): f32 {
  let result: f32 = 1;
  for (; n > 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return result;
}

/** One step of up to four values; `g` is their gradient but for the decay. */
@inline
function step(
  p: usize,
  m: usize,
  v: usize,
  count: i32,
  g: v128,
  rate: v128,
  correction: v128,
  kept: v128,
  decay: v128,
  beta1: v128,
  rest1: v128,
  beta2: v128,
  rest2: v128,
  epsilon: v128,
): void {
  const value = f32x4.mul(loadUpTo(p, count), kept);
  const gradient = madd(decay, value, g);
  const first = madd(beta1, loadUpTo(m, count), f32x4.mul(rest1, gradient));
  const second = madd(beta2, loadUpTo(v, count), f32x4.mul(f32x4.mul(rest2, gradient), gradient));
  const size = f32x4.add(f32x4.sqrt(f32x4.mul(second, correction)), epsilon);
  const move = f32x4.div(f32x4.mul(rate, first), size);
  storeUpTo(m, first, count);
  storeUpTo(v, second, count);
  storeUpTo(p, f32x4.sub(value, move), count);
}

/** x ← factor·x, a row */
@inline
function scaleRow(x: usize, row: i32, factor: f32): void {
  for (let c = 0; c < row; c++) {
    const at = x + ((<usize>c) << 2);
    store<f32>(at, factor * load<f32>(at));
  }
}

/** `g` is 0 where there is none; `rest1` and `rest2` are 1 − β; rows without decay move for `moving` steps at most. */
export function adamRows(
  start: i32,
  end: i32,
  p: usize,
  m: usize,
  v: usize,
  g: usize,
  ids: usize,
  missed: usize,
  rates: usize,
  steps: i32,
  row: i32,
  beta1: f32,
  rest1: f32,
  beta2: f32,
  rest2: f32,
  epsilon: f32,
  decay: f32,
  moving: i32,
): void {
  const none = f32x4.splat(0);
  const b1 = f32x4.splat(beta1), r1 = f32x4.splat(rest1), b2 = f32x4.splat(beta2), r2 = f32x4.splat(rest2);
  const pull = f32x4.splat(decay), small = f32x4.splat(epsilon);
  const whole = row & ~3;
  for (let k = start; k < end; k++) {
    const offset = <usize>load<i32>(ids + ((<usize>k) << 2)) * ((<usize>row) << 2);
    const all = load<i32>(missed + ((<usize>k) << 2));
    const some = g == 0 && decay == 0 ? min(all, moving) : all;
    const begin = steps - all;
    for (let s = begin; s < begin + some; s++) {
      const at = rates + <usize>s * 12;
      const rate = v128.load32_splat(at), correction = v128.load32_splat(at, 4), kept = v128.load32_splat(at, 8);
      const given = g != 0 && s == steps - 1 ? g + ((<usize>k * <usize>row) << 2) : 0;
      let c = 0;
      for (; c < whole; c += 4) {
        const from = (<usize>c) << 2;
        const i = offset + from;
        const own = given ? v128.load(given + from) : none;
        step(p + i, m + i, v + i, 4, own, rate, correction, kept, pull, b1, r1, b2, r2, small);
      }
      if (c == row) continue;
      const i = offset + ((<usize>c) << 2);
      const own = given ? loadUpTo(given + ((<usize>c) << 2), row - c) : none;
      step(p + i, m + i, v + i, row - c, own, rate, correction, kept, pull, b1, r1, b2, r2, small);
    }
    if (some == all) continue;
    scaleRow(m + offset, row, powerOf(beta1, all - some));
    scaleRow(v + offset, row, powerOf(beta2, all - some));
  }
}
