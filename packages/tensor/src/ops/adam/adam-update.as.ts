/** adamUpdate. A unit is 64 bytes, as in unary.as.ts. */
import { madd } from '../../backends/wasm/assembly/vectors.as';

/** `rest1` and `rest2` are 1 − β; `rate` is η / (1 − β₁ᵗ), `correction` 1 / (1 − β₂ᵗ). */
export function adamUpdate(
  start: i32,
  end: i32,
  p: usize,
  g: usize,
  m: usize,
  v: usize,
  beta1: f32,
  rest1: f32,
  beta2: f32,
  rest2: f32,
  rate: f32,
  correction: f32,
  epsilon: f32,
): void {
  const stop = (<usize>end) << 6;
  for (let i = (<usize>start) << 6; i < stop; i += 16) {
    const gradient = v128.load(g + i);
    const first = madd(f32x4.splat(beta1), v128.load(m + i), f32x4.mul(f32x4.splat(rest1), gradient));
    const squared = f32x4.mul(f32x4.mul(f32x4.splat(rest2), gradient), gradient);
    const second = madd(f32x4.splat(beta2), v128.load(v + i), squared);
    v128.store(m + i, first);
    v128.store(v + i, second);
    const size = f32x4.add(f32x4.sqrt(f32x4.mul(second, f32x4.splat(correction))), f32x4.splat(epsilon));
    const step = f32x4.div(f32x4.mul(f32x4.splat(rate), first), size);
    v128.store(p + i, f32x4.sub(v128.load(p + i), step));
  }
}
