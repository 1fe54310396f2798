/** log x and what is made of it, four values at a time. Errors are held to 2 ulp by transcendental.test.ts. */
import { exp4 } from './exponential.as';
import { madd } from './vectors.as';

const ln2High: f32 = 0.693359375;
const ln2Low: f32 = -2.12194440054690583e-4;
const sqrtHalf: f32 = 0.70710678118654752;

/**
 * e·ln 2 + log(1 + f) for f in √½ − 1 … √2 − 1. With s = f / (2 + f), log(1 + f) = 2 artanh s, and
 * 2 artanh s − f = −f²/2 + s·(f²/2 + R), R = 2s²/3 + 2s⁴/5 + …: the small terms are added first.
 */
@inline
function logOnePlus(f: v128, e: v128): v128 {
  const s = f32x4.div(f, f32x4.add(f, f32x4.splat(2)));
  const z = f32x4.mul(s, s);
  let series = f32x4.splat(<f32>(2.0 / 11.0));
  series = madd(series, z, f32x4.splat(<f32>(2.0 / 9.0)));
  series = madd(series, z, f32x4.splat(<f32>(2.0 / 7.0)));
  series = madd(series, z, f32x4.splat(<f32>(2.0 / 5.0)));
  series = madd(series, z, f32x4.splat(<f32>(2.0 / 3.0)));
  series = f32x4.mul(series, z);
  const halfSquare = f32x4.mul(f32x4.mul(f, f), f32x4.splat(0.5));
  const small = madd(e, f32x4.splat(ln2Low), f32x4.mul(s, f32x4.add(halfSquare, series)));
  const rest = f32x4.sub(f32x4.sub(halfSquare, small), f);
  return f32x4.sub(f32x4.mul(e, f32x4.splat(ln2High)), rest);
}

@inline
export function log4(x: v128): v128 {
  const tiny = f32x4.lt(x, f32x4.splat(1.17549435e-38));
  // Denormals are scaled by 2²³ into the normal range.
  const normal = v128.bitselect(f32x4.mul(x, f32x4.splat(8388608)), x, tiny);
  const correction = v128.and(tiny, i32x4.splat(23));
  let e = i32x4.sub(i32x4.sub(i32x4.shr_s(normal, 23), i32x4.splat(126)), correction);
  let m = v128.or(v128.and(normal, i32x4.splat(0x007fffff)), i32x4.splat(0x3f000000));
  // m in ½ … 1, to be in √½ … √2.
  const low = f32x4.lt(m, f32x4.splat(sqrtHalf));
  e = i32x4.add(e, low);
  m = f32x4.add(m, v128.and(m, low));
  const value = logOnePlus(f32x4.sub(m, f32x4.splat(1)), f32x4.convert_i32x4_s(e));
  const infinity = f32x4.splat(Infinity);
  // ∞ and NaN as they are; NaN below 0; −∞ at 0.
  const ordinary = v128.bitselect(value, x, f32x4.lt(x, infinity));
  const negative = f32x4.lt(x, f32x4.splat(0));
  const nonNegative = v128.or(ordinary, v128.and(negative, f32x4.splat(NaN)));
  return v128.bitselect(f32x4.neg(infinity), nonNegative, f32x4.eq(x, f32x4.splat(0)));
}

/** log(1 + e^x) = max(x, 0) + log(1 + u), u = e^−|x|. Beyond √2 the sum 1 + u is halved, exactly. */
@inline
export function softplus4(x: v128): v128 {
  const u = exp4(f32x4.neg(f32x4.abs(x)));
  const one = f32x4.splat(1);
  const small = f32x4.lt(u, f32x4.splat(0.41421356));
  const f = v128.bitselect(u, f32x4.mul(f32x4.sub(u, one), f32x4.splat(0.5)), small);
  const tail = logOnePlus(f, v128.andnot(one, small));
  // pmax(x, 0) keeps a NaN of x.
  return f32x4.add(f32x4.pmax(x, f32x4.splat(0)), tail);
}
