/** tanh(b + x) for many x near one b. */
import { tanh4 } from './exponential.as';
import { madd, nmadd } from './vectors.as';

/** Up to here tanh(b + x) is a cubic in x: what follows, at most 0.17 x⁴, is below a quarter of an ulp of 1. */
const nearness: f32 = 1.0 / 64.0;
/** Its square: x² and 1/4096 compare as |x| and 1/64 do, also rounded. */
export const nearSquare: f32 = nearness * nearness;

/** The coefficients of 1, x, x² and x³ at four b: with c = tanh b and s = 1 − c² these are c, s, −cs and s(⅔ − s). */
export function storeCubic(b: v128, to: usize): void {
  const c = tanh4(b);
  const s = nmadd(c, c, f32x4.splat(1));
  v128.store(to, c);
  v128.store(to, s, 16);
  v128.store(to, f32x4.neg(f32x4.mul(c, s)), 32);
  v128.store(to, f32x4.mul(s, f32x4.sub(f32x4.splat(<f32>(2.0 / 3.0)), s)), 48);
}

/** tanh(w·v + b), given the cubic at b, and `nearSquare` four times. */
@inline
export function tanhNear4(w: v128, v: v128, b: v128, cubic: usize, near: v128): v128 {
  const x = f32x4.mul(w, v);
  if (v128.any_true(f32x4.gt(f32x4.mul(x, x), near))) return tanh4(madd(w, v, b));
  const slope = madd(madd(v128.load(cubic, 48), x, v128.load(cubic, 32)), x, v128.load(cubic, 16));
  return madd(slope, x, v128.load(cubic));
}
