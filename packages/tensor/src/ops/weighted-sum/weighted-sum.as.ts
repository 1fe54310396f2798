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
  for (let r = start; r < end; r++) {
    const to = out + <usize>r * stride;
    memory.fill(to, 0, stride);
    const last = idAt(offsets, r + 1);
    for (let k = idAt(offsets, r); k < last; k++) {
      const entry = idAt(order, k);
      const row = from ? idAt(from, entry) : entry;
      const weights = w + ((<usize>(entry * heads)) << 2);
      let p = x + <usize>row * stride;
      let q = to;
      for (let head = 0; head < heads; head++) {
        const weight = v128.load_splat<f32>(weights + ((<usize>head) << 2));
        const whole = (<usize>(width & ~3)) << 2;
        for (let at: usize = 0; at < whole; at += 16) {
          v128.store(q + at, madd(weight, v128.load(p + at), v128.load(q + at)));
        }
        const rest = width & 3;
        if (rest) {
          const value = loadUpTo(p + whole, rest);
          storeUpTo(q + whole, madd(weight, value, loadUpTo(q + whole, rest)), rest);
        }
        p += (<usize>width) << 2;
        q += (<usize>width) << 2;
      }
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

/** out[k, head] = Σ x[xs k]·y[ys k] over the columns of a head; `ys` is 0 where entry k reads row k. A unit is an entry. */
export function gatherDot(
  start: i32,
  end: i32,
  x: usize,
  y: usize,
  xs: usize,
  ys: usize,
  out: usize,
  heads: i32,
  width: i32,
): void {
  const stride = (<usize>(heads * width)) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  const rest = width & 3;
  for (let k = start; k < end; k++) {
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
