/** a^b = 2^(b·log₂ a), in float64 on two values at a time so that b does not magnify the logarithm's rounding. */

const ln2: f64 = 0.6931471805599453;

/** For normal a > 0; results beyond the range of float32 become 0 or ∞ when they are narrowed. */
function magnitude(a: v128, b: v128): v128 {
  const one = f64x2.splat(1);
  const biased = i64x2.shr_u(a, 52);
  let m = v128.or(v128.and(a, i64x2.splat(0x000fffffffffffff)), one);
  const high = f64x2.gt(m, f64x2.splat(1.4142135623730951));
  m = v128.bitselect(f64x2.mul(m, f64x2.splat(0.5)), m, high);
  const exponents = i64x2.sub(i64x2.sub(biased, i64x2.splat(1023)), high);
  const e = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponents, exponents, 0, 2, 0, 2));
  // log(1 + f) = 2 artanh s, s = f / (2 + f)
  const f = f64x2.sub(m, one);
  const s = f64x2.div(f, f64x2.add(f, f64x2.splat(2)));
  const z = f64x2.mul(s, s);
  let p = f64x2.splat(2.0 / 13.0);
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.0 / 11.0));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.0 / 9.0));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.0 / 7.0));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.0 / 5.0));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.0 / 3.0));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2));
  const log2 = f64x2.add(e, f64x2.mul(f64x2.mul(p, s), f64x2.splat(1.0 / ln2)));
  let t = f64x2.mul(b, log2);
  t = f64x2.pmax(f64x2.pmin(t, f64x2.splat(200)), f64x2.splat(-200));
  const n = f64x2.nearest(t);
  const r = f64x2.mul(f64x2.sub(t, n), f64x2.splat(ln2));
  let q = f64x2.splat(1.0 / 40320.0);
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(1.0 / 5040.0));
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(1.0 / 720.0));
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(1.0 / 120.0));
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(1.0 / 24.0));
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(1.0 / 6.0));
  q = f64x2.add(f64x2.mul(q, r), f64x2.splat(0.5));
  q = f64x2.add(f64x2.mul(q, r), one);
  q = f64x2.add(f64x2.mul(q, r), one);
  const whole = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(n));
  return f64x2.mul(q, i64x2.shl(i64x2.add(whole, i64x2.splat(1023)), 52));
}

/** The corners as JavaScript has them: a^0 = 1, also for NaN; (±1)^±∞ = NaN; signs follow odd b. */
function powerOfOne(a: f32, b: f32): f32 {
  if (b == 0) return 1;
  if (a != a || b != b) return NaN;
  const size = abs<f32>(a);
  const infinite = abs<f32>(b) == Infinity;
  if (infinite && size == 1) return NaN;
  // Every float32 from 2²⁴ on is even.
  const whole = infinite || nearest<f32>(b) == b;
  const odd = whole && abs<f32>(b) < 16777216 && ((<i32>b) & 1) != 0;
  if (a < 0 && size != Infinity && !whole) return NaN;
  let value: f32;
  if (size == 0 || size == Infinity) value = (size == 0) == b > 0 ? 0 : Infinity;
  else if (infinite) value = size > 1 == b > 0 ? Infinity : 0;
  else value = <f32>f64x2.extract_lane(magnitude(f64x2.splat(<f64>size), f64x2.splat(<f64>b)), 0);
  return odd && reinterpret<i32>(a) < 0 ? -value : value;
}

export function pow4(a: v128, b: v128): v128 {
  const ordinary = v128.and(
    v128.and(f32x4.gt(a, f32x4.splat(0)), f32x4.lt(a, f32x4.splat(Infinity))),
    f32x4.lt(f32x4.abs(b), f32x4.splat(Infinity)),
  );
  if (i32x4.all_true(ordinary)) {
    const low = magnitude(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b));
    const upperA = v128.shuffle<f32>(a, a, 2, 3, 2, 3);
    const upperB = v128.shuffle<f32>(b, b, 2, 3, 2, 3);
    const high = magnitude(f64x2.promote_low_f32x4(upperA), f64x2.promote_low_f32x4(upperB));
    return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
  }
  let y = f32x4.splat(powerOfOne(f32x4.extract_lane(a, 0), f32x4.extract_lane(b, 0)));
  y = f32x4.replace_lane(y, 1, powerOfOne(f32x4.extract_lane(a, 1), f32x4.extract_lane(b, 1)));
  y = f32x4.replace_lane(y, 2, powerOfOne(f32x4.extract_lane(a, 2), f32x4.extract_lane(b, 2)));
  return f32x4.replace_lane(y, 3, powerOfOne(f32x4.extract_lane(a, 3), f32x4.extract_lane(b, 3)));
}
