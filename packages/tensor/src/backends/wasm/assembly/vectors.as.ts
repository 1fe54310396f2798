/** Small pieces that kernels share: multiply-add, sums across lanes, rows whose width is no multiple of 4. */

/** a·b + c; rounded once where the relaxed build runs on hardware with fused multiply-add, else twice. */
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** c − a·b */
@inline
export function nmadd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_nmadd(a, b, c);
  return f32x4.sub(c, f32x4.mul(a, b));
}

/** (v0 + v2) + (v1 + v3): the one order in which lanes are added. */
@inline
export function sumOfLanes(v: v128): f32 {
  const halves = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 2, 3));
  return f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1);
}

/** The largest lane, NaN if a lane of `bad` is set. */
@inline
export function maxOfLanes(v: v128, bad: v128): f32 {
  if (v128.any_true(bad)) return NaN;
  const halves = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 2, 3));
  return max<f32>(f32x4.extract_lane(halves, 0), f32x4.extract_lane(halves, 1));
}

/**
 * The largest of `count` values; NaN wins. V8 needs eight instructions for f32x4.max on x64 but one for pmax, which
 * passes over a NaN in its second operand: those are noted aside.
 */
@inline
export function largestOf(p: usize, count: i32): f32 {
  let a = f32x4.splat(-Infinity), b = a;
  let bad = f32x4.splat(0);
  const stop8 = p + (<usize>(count & ~7) << 2);
  const stop4 = p + (<usize>(count & ~3) << 2);
  for (; p < stop8; p += 32) {
    const v = v128.load(p);
    const w = v128.load(p, 16);
    bad = v128.or(bad, v128.or(f32x4.ne(v, v), f32x4.ne(w, w)));
    a = f32x4.pmax(a, v);
    b = f32x4.pmax(b, w);
  }
  for (; p < stop4; p += 16) {
    const v = v128.load(p);
    bad = v128.or(bad, f32x4.ne(v, v));
    a = f32x4.pmax(a, v);
  }
  if (count & 3) {
    const v = loadPart(p, count & 3, a);
    bad = v128.or(bad, f32x4.ne(v, v));
    b = f32x4.pmax(b, v);
  }
  return maxOfLanes(f32x4.pmax(a, b), bad);
}

/** The first 1 … 3 values at p, `rest` in the other lanes. */
@inline
export function loadPart(p: usize, count: i32, rest: v128): v128 {
  let v = v128.load_lane<f32>(p, rest, 0);
  if (count > 1) v = v128.load_lane<f32>(p, v, 1, 4);
  if (count > 2) v = v128.load_lane<f32>(p, v, 2, 8);
  return v;
}

/** Stores the first 1 … 3 lanes. */
@inline
export function storePart(p: usize, v: v128, count: i32): void {
  v128.store_lane<f32>(p, v, 0);
  if (count > 1) v128.store_lane<f32>(p, v, 1, 4);
  if (count > 2) v128.store_lane<f32>(p, v, 2, 8);
}

/** Four values at p, or fewer and zeros. */
@inline
export function loadUpTo(p: usize, count: i32): v128 {
  return count >= 4 ? v128.load(p) : loadPart(p, count, f32x4.splat(0));
}

@inline
export function storeUpTo(p: usize, v: v128, count: i32): void {
  if (count >= 4) v128.store(p, v);
  else storePart(p, v, count);
}

/** Copies `count` values of four bytes. */
@inline
export function copyValues(from: usize, to: usize, count: i32): void {
  let c = 0;
  for (; c + 8 <= count; c += 8) {
    const p = <usize>c << 2;
    const low = v128.load(from + p);
    const high = v128.load(from + p, 16);
    v128.store(to + p, low);
    v128.store(to + p, high, 16);
  }
  for (; c + 4 <= count; c += 4) v128.store(to + (<usize>c << 2), v128.load(from + (<usize>c << 2)));
  for (; c < count; c++) store<i32>(to + (<usize>c << 2), load<i32>(from + (<usize>c << 2)));
}
