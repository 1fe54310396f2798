/** edgeDot and its two gradients. Nothing of the size [edges, d] is ever stored. */
import { loadUpTo, madd, storeUpTo, sumOfLanes } from '../../backends/wasm/assembly/vectors.as';

@inline
function idAt(ids: usize, e: i32): usize {
  return <usize>load<i32>(ids + (<usize>e << 2));
}

/** A unit is an edge: Σ (w¹ + w³ ⊙ y) ⊙ x + w² ⊙ y. */
export function edgeDot(
  start: i32, end: i32, x: usize, y: usize, weight: usize, bias: usize, senders: usize, receivers: usize, types: usize, out: usize, d: i32,
): void {
  const stride = <usize>d << 2;
  for (let e = start; e < end; e++) {
    const type = idAt(types, e);
    let px = x + idAt(senders, e) * stride;
    let py = y + idAt(receivers, e) * stride;
    let w = weight + type * 3 * stride;
    let first = f32x4.splat(0), second = first;
    const stop = px + (<usize>(d & ~3) << 2);
    while (px < stop) {
      const b = v128.load(py);
      const factor = madd(v128.load(w + 2 * stride), b, v128.load(w));
      first = madd(factor, v128.load(px), first);
      second = madd(v128.load(w + stride), b, second);
      px += 16;
      py += 16;
      w += 16;
    }
    const rest = d & 3;
    if (rest) {
      const b = loadUpTo(py, rest);
      const factor = madd(loadUpTo(w + 2 * stride, rest), b, loadUpTo(w, rest));
      first = madd(factor, loadUpTo(px, rest), first);
      second = madd(loadUpTo(w + stride, rest), b, second);
    }
    const total = sumOfLanes(f32x4.add(first, second)) + load<f32>(bias + (type << 2));
    store<f32>(out + (<usize>e << 2), total);
  }
}

/** A unit is a node: Σ_e g_e (w^part + w³ ⊙ other). `part` is 0 or d. Strips of 16 columns, then 4. */
export function edgeDotRowsGrad(
  start: i32, end: i32, g: usize, other: usize, weight: usize, far: usize, types: usize, offsets: usize, order: usize, out: usize, d: i32, part: i32,
): void {
  const stride = <usize>d << 2;
  const toPart = <usize>part << 2;
  const toLast = 2 * stride;
  for (let i = start; i < end; i++) {
    const first = load<i32>(offsets + (<usize>i << 2));
    const last = load<i32>(offsets + (<usize>i << 2), 4);
    const row = out + <usize>i * stride;
    let column = 0;
    for (; column + 20 <= d; column += 20) {
      const at = <usize>column << 2;
      let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0;
      for (let k = first; k < last; k++) {
        const e = load<i32>(order + (<usize>k << 2));
        const gradient = v128.load_splat<f32>(g + (<usize>e << 2));
        const p = other + idAt(far, e) * stride + at;
        const w = weight + idAt(types, e) * 3 * stride + at;
        const near = w + toPart;
        const product = w + toLast;
        a0 = madd(gradient, madd(v128.load(product), v128.load(p), v128.load(near)), a0);
        a1 = madd(gradient, madd(v128.load(product, 16), v128.load(p, 16), v128.load(near, 16)), a1);
        a2 = madd(gradient, madd(v128.load(product, 32), v128.load(p, 32), v128.load(near, 32)), a2);
        a3 = madd(gradient, madd(v128.load(product, 48), v128.load(p, 48), v128.load(near, 48)), a3);
        a4 = madd(gradient, madd(v128.load(product, 64), v128.load(p, 64), v128.load(near, 64)), a4);
      }
      v128.store(row + at, a0);
      v128.store(row + at, a1, 16);
      v128.store(row + at, a2, 32);
      v128.store(row + at, a3, 48);
      v128.store(row + at, a4, 64);
    }
    for (; column < d; column += 4) {
      const at = <usize>column << 2;
      const count = d - column;
      let a = f32x4.splat(0);
      for (let k = first; k < last; k++) {
        const e = load<i32>(order + (<usize>k << 2));
        const gradient = v128.load_splat<f32>(g + (<usize>e << 2));
        const p = other + idAt(far, e) * stride + at;
        const w = weight + idAt(types, e) * 3 * stride + at;
        const factor = madd(loadUpTo(w + toLast, count), loadUpTo(p, count), loadUpTo(w + toPart, count));
        a = madd(gradient, factor, a);
      }
      storeUpTo(row + at, a, count);
    }
  }
}

/** partial[unit] = Σ g_e [x : y : x ⊙ y] over a block of one type's edges: type, first and last entry in `order`. */
export function edgeDotWeightGrad(
  start: i32, end: i32, blocks: usize, g: usize, x: usize, y: usize, senders: usize, receivers: usize, order: usize, partial: usize, d: i32,
): void {
  const stride = <usize>d << 2;
  for (let unit = start; unit < end; unit++) {
    const block = blocks + <usize>unit * 12;
    const first = load<i32>(block, 4);
    const last = load<i32>(block, 8);
    const row = partial + <usize>unit * 3 * stride;
    for (let column = 0; column < d; column += 8) {
      const at = <usize>column << 2;
      const low = d - column;
      const high = low - 4;
      let x0 = f32x4.splat(0), x1 = x0, y0 = x0, y1 = x0, p0 = x0, p1 = x0;
      for (let k = first; k < last; k++) {
        const e = load<i32>(order + (<usize>k << 2));
        const gradient = v128.load_splat<f32>(g + (<usize>e << 2));
        const px = x + idAt(senders, e) * stride + at;
        const py = y + idAt(receivers, e) * stride + at;
        const a = f32x4.mul(gradient, loadUpTo(px, low));
        const b = loadUpTo(py, low);
        x0 = f32x4.add(x0, a);
        y0 = madd(gradient, b, y0);
        p0 = madd(a, b, p0);
        if (high > 0) {
          const c = f32x4.mul(gradient, loadUpTo(px + 16, high));
          const f = loadUpTo(py + 16, high);
          x1 = f32x4.add(x1, c);
          y1 = madd(gradient, f, y1);
          p1 = madd(c, f, p1);
        }
      }
      storeUpTo(row + at, x0, low);
      storeUpTo(row + stride + at, y0, low);
      storeUpTo(row + 2 * stride + at, p0, low);
      if (high > 0) {
        storeUpTo(row + at + 16, x1, high);
        storeUpTo(row + stride + at + 16, y1, high);
        storeUpTo(row + 2 * stride + at + 16, p1, high);
      }
    }
  }
}
