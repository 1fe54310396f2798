/** weightedSum and gatherMul: a unit is one row of the result. */
import { loadUpTo, madd, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

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
  const stride = (<usize>(heads * width)) << 2;
  for (let r = start; r < end; r++) {
    const to = out + <usize>r * stride;
    memory.fill(to, 0, stride);
    const last = load<i32>(offsets + ((<usize>r) << 2), 4);
    for (let k = load<i32>(offsets + ((<usize>r) << 2)); k < last; k++) {
      const entry = load<i32>(order + ((<usize>k) << 2));
      const row = from ? load<i32>(from + ((<usize>entry) << 2)) : entry;
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
  const stride = (<usize>row) << 2;
  for (let k = start; k < end; k++) {
    const atX = xs ? load<i32>(xs + ((<usize>k) << 2)) : k;
    const p = x + <usize>atX * stride;
    const q = y + <usize>load<i32>(ys + ((<usize>k) << 2)) * stride;
    const to = out + <usize>k * stride;
    for (let c = 0; c < row; c += 4) {
      const at = (<usize>c) << 2;
      const count = row - c;
      storeUpTo(to + at, f32x4.mul(loadUpTo(p + at, count), loadUpTo(q + at, count)), count);
    }
  }
}
