/** attendedSum and its gradients. */
import { tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { nearSquare, storeCubic, tanhNear4 } from '../../backends/wasm/assembly/tanh-near.as';
import { loadUpTo, madd, nmadd, storeUpTo, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

/** What tanh is near the bias of four columns. Most attention is so weak that this spares most of tanh. A unit is four columns. */
export function attendedCubics(start: i32, end: i32, bias: usize, cubics: usize, width: i32): void {
  for (let unit = start; unit < end; unit++) {
    storeCubic(loadUpTo(bias + ((<usize>unit) << 4), width - (unit << 2)), cubics + ((<usize>unit) << 6));
  }
}

/** reach[r] = 1 + the last value that row r reads; 0 if it reads none. A unit is one row. */
export function attendedReach(start: i32, end: i32, from: usize, offsets: usize, order: usize, reach: usize): void {
  for (let r = start; r < end; r++) {
    const last = load<i32>(offsets + ((<usize>r) << 2), 4);
    let most = 0;
    for (let j = load<i32>(offsets + ((<usize>r) << 2)); j < last; j++) {
      const k = load<i32>(order + ((<usize>j) << 2));
      most = max(most, load<i32>(from + ((<usize>k) << 2)) + 1);
    }
    store<i32>(reach + ((<usize>r) << 2), most);
  }
}

/** Is never read; it is there so that what follows is not left out. */
let touched: i32 = 0;

/**
 * Reads a value of each cache line of the messages first … last − 1, and nothing else, so that many are fetched at once. In the
 * loops of the sum, which do more between two lines, the processor would wait for a few at a time.
 */
@inline
function linesOf(values: usize, from: usize, order: usize, first: i32, last: i32, stride: usize): i32 {
  let all: i32 = 0;
  for (let j = first; j < last; j++) {
    const k = load<i32>(order + ((<usize>j) << 2));
    const p = values + <usize>load<i32>(from + ((<usize>k) << 2)) * stride;
    for (let at: usize = 0; at < stride; at += 64) all |= load<i32>(p + at);
    all |= load<i32>(p + stride - 4);
  }
  return all;
}

/**
 * out[r] = Σ tanh(w_k·v[from k] + b) + unattended[r]·tanh(b); none of the latter if `unattended` is 0. A unit is one row
 * of the result.
 */
export function attendedSum(
  start: i32,
  end: i32,
  values: usize,
  weights: usize,
  bias: usize,
  cubics: usize,
  from: usize,
  offsets: usize,
  order: usize,
  unattended: usize,
  out: usize,
  heads: i32,
  width: i32,
): void {
  const stride = (<usize>(heads * width)) << 2;
  const near = f32x4.splat(nearSquare);
  for (let r = start; r < end; r++) {
    const to = out + <usize>r * stride;
    const silent: f32 = unattended ? load<f32>(unattended + ((<usize>r) << 2)) : 0;
    for (let head = 0; head < heads; head++) {
      for (let c = 0; c < width; c += 4) {
        const q = to + ((<usize>(head * width + c)) << 2);
        const count = width - c;
        const value = silent == 0 ? f32x4.splat(0) : v128.load(cubics + ((<usize>c) << 4));
        storeUpTo(q, f32x4.mul(f32x4.splat(silent), value), count);
      }
    }
    const first = load<i32>(offsets + ((<usize>r) << 2));
    const last = load<i32>(offsets + ((<usize>r) << 2), 4);
    touched |= linesOf(values, from, order, first, last, stride);
    const whole = (<usize>(width & ~3)) << 2;
    const rest = width & 3;
    for (let head = 0; head < heads; head++) {
      const ofHead = (<usize>(head * width)) << 2;
      // Few columns at a time, so that their sums stay in registers while the messages go by.
      let at: usize = 0;
      for (; at + 16 < whole; at += 32) {
        const q = to + ofHead + at;
        let low = v128.load(q);
        let high = v128.load(q, 16);
        const cubic = cubics + (at << 2);
        for (let j = first; j < last; j++) {
          const k = load<i32>(order + ((<usize>j) << 2));
          const p = values + <usize>load<i32>(from + ((<usize>k) << 2)) * stride + ofHead + at;
          const weight = v128.load_splat<f32>(weights + ((<usize>(k * heads + head)) << 2));
          low = f32x4.add(tanhNear4(weight, v128.load(p), v128.load(bias + at), cubic, near), low);
          high = f32x4.add(tanhNear4(weight, v128.load(p, 16), v128.load(bias + at, 16), cubic + 64, near), high);
        }
        v128.store(q, low);
        v128.store(q, high, 16);
      }
      for (; at < whole; at += 16) {
        const q = to + ofHead + at;
        let total = v128.load(q);
        for (let j = first; j < last; j++) {
          const k = load<i32>(order + ((<usize>j) << 2));
          const p = values + <usize>load<i32>(from + ((<usize>k) << 2)) * stride + ofHead;
          const weight = v128.load_splat<f32>(weights + ((<usize>(k * heads + head)) << 2));
          const acted = tanhNear4(weight, v128.load(p + at), v128.load(bias + at), cubics + (at << 2), near);
          total = f32x4.add(acted, total);
        }
        v128.store(q, total);
      }
      if (!rest) continue;
      const q = to + ofHead + whole;
      for (let j = first; j < last; j++) {
        const k = load<i32>(order + ((<usize>j) << 2));
        const p = values + <usize>load<i32>(from + ((<usize>k) << 2)) * stride + ofHead;
        const weight = v128.load_splat<f32>(weights + ((<usize>(k * heads + head)) << 2));
        const value = loadUpTo(p + whole, rest);
        const acted = tanhNear4(weight, value, loadUpTo(bias + whole, rest), cubics + (whole << 2), near);
        storeUpTo(q, f32x4.add(acted, loadUpTo(q, rest)), rest);
      }
    }
  }
}

/**
 * slopes_k = dout[into k] ⊙ (1 − tanh²(w_k·v[from k] + b)),   dweights_k = slopes_k · v[from k] for each head. A unit is one
 * message.
 */
export function attendedSumGrad(
  start: i32,
  end: i32,
  dout: usize,
  values: usize,
  weights: usize,
  bias: usize,
  cubics: usize,
  from: usize,
  into: usize,
  slopes: usize,
  dweights: usize,
  heads: i32,
  width: i32,
): void {
  const stride = (<usize>(heads * width)) << 2;
  const one = f32x4.splat(1);
  const near = f32x4.splat(nearSquare);
  for (let k = start; k < end; k++) {
    let p = values + <usize>load<i32>(from + ((<usize>k) << 2)) * stride;
    let g = dout + <usize>load<i32>(into + ((<usize>k) << 2)) * stride;
    let q = slopes + <usize>k * stride;
    for (let head = 0; head < heads; head++) {
      const unit = (<usize>(k * heads + head)) << 2;
      const weight = v128.load_splat<f32>(weights + unit);
      let total = f32x4.splat(0);
      const whole = (<usize>(width & ~3)) << 2;
      for (let at: usize = 0; at < whole; at += 16) {
        const value = v128.load(p + at);
        const acted = tanhNear4(weight, value, v128.load(bias + at), cubics + (at << 2), near);
        const slope = f32x4.mul(v128.load(g + at), nmadd(acted, acted, one));
        v128.store(q + at, slope);
        total = madd(slope, value, total);
      }
      const rest = width & 3;
      if (rest) {
        const value = loadUpTo(p + whole, rest);
        const acted = tanhNear4(weight, value, loadUpTo(bias + whole, rest), cubics + (whole << 2), near);
        const slope = f32x4.mul(loadUpTo(g + whole, rest), nmadd(acted, acted, one));
        storeUpTo(q + whole, slope, rest);
        total = madd(slope, value, total);
      }
      store<f32>(dweights + unit, sumOfLanes(total));
      p += (<usize>width) << 2;
      g += (<usize>width) << 2;
      q += (<usize>width) << 2;
    }
  }
}

/** Sums of slopes and of dout, as in attended-sum-grad.op.ts. A unit is a slice of so many messages and rows. */
export function attendedBiasGrad(
  start: i32,
  end: i32,
  slopes: usize,
  dout: usize,
  bias: usize,
  unattended: usize,
  out: usize,
  messages: i32,
  rows: i32,
  sliceMessages: i32,
  sliceRows: i32,
  heads: i32,
  width: i32,
): void {
  const stride = (<usize>(heads * width)) << 2;
  for (let slice = start; slice < end; slice++) {
    const firstMessage = slice * sliceMessages;
    const lastMessage = min(firstMessage + sliceMessages, messages);
    const firstRow = slice * sliceRows;
    const lastRow = unattended ? min(firstRow + sliceRows, rows) : firstRow;
    for (let c = 0; c < width; c += 4) {
      const at = (<usize>c) << 2;
      const count = width - c;
      let total = f32x4.splat(0);
      let silent = f32x4.splat(0);
      for (let head = 0; head < heads; head++) {
        const column = at + ((<usize>(head * width)) << 2);
        for (let k = firstMessage; k < lastMessage; k++) {
          total = f32x4.add(total, loadUpTo(slopes + <usize>k * stride + column, count));
        }
        for (let r = firstRow; r < lastRow; r++) {
          const times = v128.load_splat<f32>(unattended + ((<usize>r) << 2));
          silent = madd(times, loadUpTo(dout + <usize>r * stride + column, count), silent);
        }
      }
      const acted = tanh4(loadUpTo(bias + at, count));
      const slope = nmadd(acted, acted, f32x4.splat(1));
      storeUpTo(out + <usize>slice * ((<usize>width) << 2) + at, madd(silent, slope, total), count);
    }
  }
}
