/** The four fused passes of a GRU cell. A unit is one row. */
import { sigmoid4, tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { loadUpTo, madd, nmadd, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/** gates = [r : z] = σ(pre + bias),   reset = r ⊙ h */
export function gruGates(
  start: i32,
  end: i32,
  pre: usize,
  bias: usize,
  h: usize,
  gates: usize,
  reset: usize,
  d: i32,
): void {
  const stride = (<usize>d) << 2;
  for (let row = start; row < end; row++) {
    const wide = <usize>row * 2 * stride;
    const narrow = <usize>row * stride;
    for (let c = 0; c < d; c += 4) {
      const at = (<usize>c) << 2;
      const count = d - c;
      const r = sigmoid4(f32x4.add(loadUpTo(pre + wide + at, count), loadUpTo(bias + at, count)));
      const z = sigmoid4(
        f32x4.add(loadUpTo(pre + wide + stride + at, count), loadUpTo(bias + stride + at, count)),
      );
      storeUpTo(gates + wide + at, r, count);
      storeUpTo(gates + wide + stride + at, z, count);
      storeUpTo(reset + narrow + at, f32x4.mul(r, loadUpTo(h + narrow + at, count)), count);
    }
  }
}

/** dpre = [(dgates_r + dreset ⊙ h) ⊙ r(1 − r) : dgates_z ⊙ z(1 − z)],   dh = dreset ⊙ r */
export function gruGatesGrad(
  start: i32,
  end: i32,
  dgates: usize,
  dreset: usize,
  gates: usize,
  h: usize,
  dpre: usize,
  dh: usize,
  d: i32,
): void {
  const stride = (<usize>d) << 2;
  for (let row = start; row < end; row++) {
    const wide = <usize>row * 2 * stride;
    const narrow = <usize>row * stride;
    for (let c = 0; c < d; c += 4) {
      const at = (<usize>c) << 2;
      const count = d - c;
      const r = loadUpTo(gates + wide + at, count);
      const z = loadUpTo(gates + wide + stride + at, count);
      const du = loadUpTo(dreset + narrow + at, count);
      const dr = madd(du, loadUpTo(h + narrow + at, count), loadUpTo(dgates + wide + at, count));
      const dz = loadUpTo(dgates + wide + stride + at, count);
      storeUpTo(dpre + wide + at, f32x4.mul(dr, nmadd(r, r, r)), count);
      storeUpTo(dpre + wide + stride + at, f32x4.mul(dz, nmadd(z, z, z)), count);
      storeUpTo(dh + narrow + at, f32x4.mul(du, r), count);
    }
  }
}

/** c = tanh(pre + bias),   h' = z ⊙ h + (1 − z) ⊙ c */
export function gruOutput(
  start: i32,
  end: i32,
  pre: usize,
  bias: usize,
  gates: usize,
  h: usize,
  next: usize,
  candidate: usize,
  d: i32,
): void {
  const stride = (<usize>d) << 2;
  const one = f32x4.splat(1);
  for (let row = start; row < end; row++) {
    const wide = <usize>row * 2 * stride + stride;
    const narrow = <usize>row * stride;
    for (let c = 0; c < d; c += 4) {
      const at = (<usize>c) << 2;
      const count = d - c;
      const value = tanh4(f32x4.add(loadUpTo(pre + narrow + at, count), loadUpTo(bias + at, count)));
      const z = loadUpTo(gates + wide + at, count);
      storeUpTo(candidate + narrow + at, value, count);
      const kept = f32x4.mul(z, loadUpTo(h + narrow + at, count));
      storeUpTo(next + narrow + at, madd(f32x4.sub(one, z), value, kept), count);
    }
  }
}

/** dpre = dh' ⊙ (1 − z) ⊙ (1 − c²),   dgates = [0 : dh' ⊙ (h − c)],   dh = dh' ⊙ z */
export function gruOutputGrad(
  start: i32,
  end: i32,
  dnext: usize,
  gates: usize,
  h: usize,
  candidate: usize,
  dpre: usize,
  dgates: usize,
  dh: usize,
  d: i32,
): void {
  const stride = (<usize>d) << 2;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  for (let row = start; row < end; row++) {
    const wide = <usize>row * 2 * stride;
    const narrow = <usize>row * stride;
    for (let c = 0; c < d; c += 4) {
      const at = (<usize>c) << 2;
      const count = d - c;
      const gradient = loadUpTo(dnext + narrow + at, count);
      const z = loadUpTo(gates + wide + stride + at, count);
      const value = loadUpTo(candidate + narrow + at, count);
      const slope = f32x4.mul(f32x4.sub(one, z), nmadd(value, value, one));
      storeUpTo(dpre + narrow + at, f32x4.mul(gradient, slope), count);
      storeUpTo(dgates + wide + at, zero, count);
      const change = f32x4.sub(loadUpTo(h + narrow + at, count), value);
      storeUpTo(dgates + wide + stride + at, f32x4.mul(gradient, change), count);
      storeUpTo(dh + narrow + at, f32x4.mul(gradient, z), count);
    }
  }
}
