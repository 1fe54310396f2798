/** e^x and what is made of it, four values at a time. Errors are held to 2 ulp by transcendental.test.ts. */
import { madd, nmadd } from './vectors.as';

/**
 * Constants are read from memory: V8 would build a vector constant anew at every use, with four instructions.
 * ln 2 is in two parts: the first has few bits, so that n · high is exact. Adding 1.5 · 2²³ rounds to a whole number,
 * which then stands in the low bits. −0 is the sign alone.
 */
const constants = memory.data<f32>([
  1.4426950408889634, 0.693359375, -2.12194440054690583e-4, 12582912, 89, -104,
  <f32>(1.0 / 5040.0), <f32>(1.0 / 720.0), <f32>(1.0 / 120.0), <f32>(1.0 / 24.0), <f32>(1.0 / 6.0), 0.5, 1, 2, 9.1, 4, -0.0, 2.8853900817779268,
]);

const enum Constant {
  Log2E, Ln2High, Ln2Low, Rounder, Highest, Lowest, Seventh, Sixth, Fifth, Fourth, Third, Half, One, Two, Flat, Four, Sign, TwiceLog2E,
}

@inline
function constant(which: i32): v128 {
  return v128.load_splat<f32>(constants + (<usize>which << 2));
}

/**
 * more + r²/2! + … + r⁷/7!: the sum is e^r − 1 − r for |r| ≤ ln 2 / 2, as the next term is below a tenth of an ulp. Pairs of terms do not wait
 * for each other, as in Horner's scheme each term would.
 */
@inline
function seriesFromSquare(r: v128, more: v128): v128 {
  const square = f32x4.mul(r, r);
  const low = madd(constant(Constant.Third), r, constant(Constant.Half));
  const middle = madd(constant(Constant.Fifth), r, constant(Constant.Fourth));
  const high = madd(constant(Constant.Seventh), r, constant(Constant.Sixth));
  return madd(square, madd(madd(high, square, middle), square, low), more);
}

@inline
function reduced(x: v128, n: v128): v128 {
  return nmadd(n, constant(Constant.Ln2Low), nmadd(n, constant(Constant.Ln2High), x));
}

/** 2^n for whole n in −126 … 127, of which the low bits are enough: 1 with n added to its exponent. */
@inline
function powerOfTwo(n: v128): v128 {
  return i32x4.add(i32x4.shl(n, 23), constant(Constant.One));
}

/** e^x = 2^n · e^r with n = round(x / ln 2). Denormal results come from scaling in two steps; NaN stays NaN. */
@inline
export function exp4(x: v128): v128 {
  // pmin and pmax keep a NaN in their first operand. Past these ends the result is ∞ or 0.
  const bounded = f32x4.pmax(f32x4.pmin(x, constant(Constant.Highest)), constant(Constant.Lowest));
  const shifted = madd(bounded, constant(Constant.Log2E), constant(Constant.Rounder));
  const whole = i32x4.sub(shifted, constant(Constant.Rounder));
  const half = i32x4.shr_s(whole, 1);
  const rest = powerOfTwo(i32x4.sub(whole, half));
  return f32x4.mul(f32x4.mul(expOfRest(bounded, shifted), powerOfTwo(half)), rest);
}

/** e^r = e^x / 2^n, where n stands in the low bits of `shifted`. */
@inline
function expOfRest(x: v128, shifted: v128): v128 {
  const r = reduced(x, f32x4.sub(shifted, constant(Constant.Rounder)));
  // 1 + r loses bits of r; what it lost is added to the small terms.
  const one = constant(Constant.One);
  const sum = f32x4.add(one, r);
  const lost = f32x4.add(f32x4.sub(one, sum), r);
  return f32x4.add(sum, seriesFromSquare(r, lost));
}

/** 1 / (1 + e^−x) = (x ≥ 0 ? 1 : e) / (1 + e) with e = e^−|x|, which never overflows. */
@inline
export function sigmoid4(x: v128): v128 {
  const one = constant(Constant.One);
  const bounded = f32x4.pmax(v128.or(x, constant(Constant.Sign)), constant(Constant.Lowest));
  const shifted = madd(bounded, constant(Constant.Log2E), constant(Constant.Rounder));
  const whole = i32x4.sub(shifted, constant(Constant.Rounder));
  const half = i32x4.shr_s(whole, 1);
  // n ≤ 0, so that the two steps of the scaling can be joined: 2^n is at most denormal.
  const scale = f32x4.mul(powerOfTwo(half), powerOfTwo(i32x4.sub(whole, half)));
  const value = expOfRest(bounded, shifted);
  const e = f32x4.mul(value, scale);
  return f32x4.div(v128.bitselect(one, e, f32x4.ge(x, f32x4.splat(0))), madd(value, scale, one));
}

/** tanh |x| = t / (t + 2) with t = e^(2|x|) − 1, exact near 0 where e^(2|x|) itself would cancel. */
@inline
export function tanh4(x: v128): v128 {
  // From 9.02 on, tanh rounds to 1.
  const sign = v128.and(x, constant(Constant.Sign));
  const bounded = f32x4.pmin(v128.xor(x, sign), constant(Constant.Flat));
  const shifted = madd(bounded, constant(Constant.TwiceLog2E), constant(Constant.Rounder));
  const n = f32x4.sub(shifted, constant(Constant.Rounder));
  const scale = powerOfTwo(shifted);
  const r = reduced(f32x4.add(bounded, bounded), n);
  const t = madd(scale, seriesFromSquare(r, r), f32x4.sub(scale, constant(Constant.One)));
  const two = constant(Constant.Two);
  const sum = f32x4.add(t, two);
  const quotient = f32x4.div(t, sum);
  // What t + 2 lost changes the quotient q by −q·lost / (t + 2), and 1 / (t + 2) = (1 − q) / 2. For larger t that
  // difference cancels, and the loss no longer matters.
  const lost = v128.and(f32x4.sub(t, f32x4.sub(sum, two)), f32x4.lt(t, constant(Constant.Four)));
  const share = nmadd(quotient, quotient, quotient);
  const magnitude = nmadd(share, f32x4.mul(lost, constant(Constant.Half)), quotient);
  return v128.or(magnitude, sign);
}
