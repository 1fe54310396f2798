/** weightedSum, gatherDot and gatherMul: a unit is one row of the result. */
import { loadUpTo, madd, storeUpTo, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

/** out[r] = Σ w[k]·x[from k]; `from` is 0 where entry k reads row k. */
export function weightedSum(
  start: i32,
  end: i32,
  w: usize,
  x: usize,
  offsets: usize,
  order: usize,
  from: usize,
  out: usize,
  heads: i32,
  width: i32,
): void {
  if (heads * width == 1) return weightedSumScalars(start, end, w, x, offsets, order, from, out);
  const stride = (<usize>(heads * width)) << 2;
  const wide = (<usize>(width & ~7)) << 2;
  const bytes = (<usize>width) << 2;
  for (let r = start; r < end; r++) {
    const first = idAt(offsets, r);
    const last = idAt(offsets, r + 1);
    let q = out + <usize>r * stride;
    let ofHead: usize = 0;
    for (let head = 0; head < heads; head++) {
      // Few columns at a time, so that their sums stay in registers while the entries go by.
      let at: usize = 0;
      for (; at < wide; at += 32) {
        let low = f32x4.splat(0);
        let high = low;
        for (let k = first; k < last; k++) {
          const entry = idAt(order, k);
          const p = x + <usize>(from ? idAt(from, entry) : entry) * stride + ofHead + at;
          const weight = v128.load_splat<f32>(w + ((<usize>(entry * heads + head)) << 2));
          low = madd(weight, v128.load(p), low);
          high = madd(weight, v128.load(p, 16), high);
        }
        v128.store(q + at, low);
        v128.store(q + at, high, 16);
      }
      for (; at < bytes; at += 16) {
        const count = <i32>(bytes - at) >> 2;
        let total = f32x4.splat(0);
        for (let k = first; k < last; k++) {
          const entry = idAt(order, k);
          const p = x + <usize>(from ? idAt(from, entry) : entry) * stride + ofHead + at;
          const weight = v128.load_splat<f32>(w + ((<usize>(entry * heads + head)) << 2));
          total = madd(weight, loadUpTo(p, count), total);
        }
        storeUpTo(q + at, total, count);
      }
      q += bytes;
      ofHead += bytes;
    }
  }
}

/** Rows of one value. */
function weightedSumScalars(
  start: i32,
  end: i32,
  w: usize,
  x: usize,
  offsets: usize,
  order: usize,
  from: usize,
  out: usize,
): void {
  for (let r = start; r < end; r++) {
    let total: f32 = 0;
    const last = idAt(offsets, r + 1);
    for (let k = idAt(offsets, r); k < last; k++) {
      const entry = idAt(order, k);
      total += valueAt(w, entry) * valueAt(x, from ? idAt(from, entry) : entry);
    }
    store<f32>(out + ((<usize>r) << 2), total);
  }
}

/**
 * out[k, head] = Σ x[xs k]·y[ys k] over the columns of a head; `ys` is 0 where entry k reads row k. A unit is an entry; `order`
 * says which, or is 0 where unit k is entry k.
 */
export function gatherDot(
  start: i32,
  end: i32,
  x: usize,
  y: usize,
  xs: usize,
  ys: usize,
  order: usize,
  out: usize,
  heads: i32,
  width: i32,
): void {
  const stride = (<usize>(heads * width)) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  const rest = width & 3;
  for (let unit = start; unit < end; unit++) {
    const k = order ? idAt(order, unit) : unit;
    let p = x + <usize>idAt(xs, k) * stride;
    let q = y + <usize>(ys ? idAt(ys, k) : k) * stride;
    for (let head = 0; head < heads; head++) {
      let total = f32x4.splat(0);
      for (let at: usize = 0; at < whole; at += 16) {
        total = madd(v128.load(p + at), v128.load(q + at), total);
      }
      if (rest) total = madd(loadUpTo(p + whole, rest), loadUpTo(q + whole, rest), total);
      store<f32>(out + ((<usize>(k * heads + head)) << 2), sumOfLanes(total));
      p += (<usize>width) << 2;
      q += (<usize>width) << 2;
    }
  }
}

/** out[k] = x[xs k]·y[ys k]; `xs` is 0 where entry k reads row k. */
export function gatherMul(
  start: i32,
  end: i32,
  x: usize,
  y: usize,
  xs: usize,
  ys: usize,
  out: usize,
  row: i32,
): void {
  if (row == 1) return gatherMulScalars(start, end, x, y, xs, ys, out);
  const stride = (<usize>row) << 2;
  for (let k = start; k < end; k++) {
    const p = x + <usize>(xs ? idAt(xs, k) : k) * stride;
    const q = y + <usize>idAt(ys, k) * stride;
    const to = out + <usize>k * stride;
    for (let c = 0; c < row; c += 4) {
      const at = (<usize>c) << 2;
      const count = row - c;
      storeUpTo(to + at, f32x4.mul(loadUpTo(p + at, count), loadUpTo(q + at, count)), count);
    }
  }
}

/** Rows of one value, four entries at a time. */
function gatherMulScalars(start: i32, end: i32, x: usize, y: usize, xs: usize, ys: usize, out: usize): void {
  let k = start;
  for (; k + 4 <= end; k += 4) {
    const at = (<usize>k) << 2;
    const left = xs ? fourAt(x, xs + at) : v128.load(x + at);
    v128.store(out + at, f32x4.mul(left, fourAt(y, ys + at)));
  }
  for (; k < end; k++) {
    const left = valueAt(x, xs ? idAt(xs, k) : k);
    store<f32>(out + ((<usize>k) << 2), left * valueAt(y, idAt(ys, k)));
  }
}

@inline
function idAt(ids: usize, k: i32): i32 {
  return load<i32>(ids + ((<usize>k) << 2));
}

@inline
function valueAt(values: usize, k: i32): f32 {
  return load<f32>(values + ((<usize>k) << 2));
}

/** The values that the four ids at `ids` name. */
@inline
function fourAt(values: usize, ids: usize): v128 {
  let v = v128.load_splat<f32>(values + ((<usize>load<i32>(ids)) << 2));
  v = v128.load_lane<f32>(values + ((<usize>load<i32>(ids, 4)) << 2), v, 1);
  v = v128.load_lane<f32>(values + ((<usize>load<i32>(ids, 8)) << 2), v, 2);
  return v128.load_lane<f32>(values + ((<usize>load<i32>(ids, 12)) << 2), v, 3);
}
