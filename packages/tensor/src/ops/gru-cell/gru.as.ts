/** The passes between the products of a GRU cell. A unit is one row. */
import { sigmoid4, tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { loadUpTo, madd, nmadd, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/** gates = [r : z] = σ(gates),   reset = r ⊙ h */
export function gruGates(start: i32, end: i32, gates: usize, h: usize, reset: usize, d: i32): void {
  const stride = (<usize>d) << 2;
  for (let row = start; row < end; row++) {
    const narrow = <usize>row * stride;
    for (let c = 0; c < d; c += 4) {
      const at = (<usize>c) << 2;
      const count = d - c;
      const p = gates + 2 * narrow + at;
      const r = sigmoid4(loadUpTo(p, count));
      storeUpTo(p, r, count);
      storeUpTo(reset + narrow + at, f32x4.mul(r, loadUpTo(h + narrow + at, count)), count);
    }
    for (let c = 0; c < d; c += 4) {
      const p = gates + 2 * narrow + stride + ((<usize>c) << 2);
      storeUpTo(p, sigmoid4(loadUpTo(p, d - c)), d - c);
    }
  }
}

/** c = tanh(c),   h' = z ⊙ h + (1 − z) ⊙ c */
export function gruOutput(
  start: i32,
  end: i32,
  candidate: usize,
  gates: usize,
  h: usize,
  next: usize,
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
      const value = tanh4(loadUpTo(candidate + narrow + at, count));
      const z = loadUpTo(gates + wide + at, count);
      storeUpTo(candidate + narrow + at, value, count);
      const kept = f32x4.mul(z, loadUpTo(h + narrow + at, count));
      storeUpTo(next + narrow + at, madd(f32x4.sub(one, z), value, kept), count);
    }
  }
}

/** da_c = dh' ⊙ (1 − z) ⊙ (1 − c²),   da_z = dh' ⊙ (h − c) ⊙ z(1 − z) */
export function gruOutputGrad(
  start: i32,
  end: i32,
  dnext: usize,
  gates: usize,
  h: usize,
  candidate: usize,
  ofCandidate: usize,
  ofGates: usize,
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
      const gradient = loadUpTo(dnext + narrow + at, count);
      const z = loadUpTo(gates + wide + at, count);
      const value = loadUpTo(candidate + narrow + at, count);
      const toCandidate = f32x4.mul(gradient, f32x4.sub(one, z));
      storeUpTo(ofCandidate + narrow + at, f32x4.mul(toCandidate, nmadd(value, value, one)), count);
      const change = f32x4.sub(loadUpTo(h + narrow + at, count), value);
      storeUpTo(ofGates + wide + at, f32x4.mul(f32x4.mul(toCandidate, z), change), count);
    }
  }
}

/** da_r = dreset ⊙ h ⊙ r(1 − r),   dh = dh' ⊙ z + dreset ⊙ r */
export function gruGatesGrad(
  start: i32,
  end: i32,
  dnext: usize,
  dreset: usize,
  gates: usize,
  h: usize,
  ofGates: usize,
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
      const gradient = loadUpTo(dreset + narrow + at, count);
      const ofState = f32x4.mul(gradient, loadUpTo(h + narrow + at, count));
      storeUpTo(ofGates + wide + at, f32x4.mul(ofState, nmadd(r, r, r)), count);
      const kept = f32x4.mul(loadUpTo(dnext + narrow + at, count), z);
      storeUpTo(dh + narrow + at, madd(gradient, r, kept), count);
    }
  }
}
