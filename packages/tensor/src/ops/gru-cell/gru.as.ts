/** The GRU cell, and the passes between the products of its gradient. */
import { sigmoid4, tanh4 } from '../../backends/wasm/assembly/exponential.as';
import { multiplyPartsPacked } from '../../backends/wasm/assembly/multiply.as';
import { loadUpTo, madd, nmadd, storeUpTo } from '../../backends/wasm/assembly/vectors.as';

/** Rows that are taken through a cell together: what lies between its products stays in the cache. */
const rowsPerUnit: i32 = 32;

/**
 * [r : z] = σ([xs : h]·W + b),   reset = r ⊙ h,   c = tanh([xs : reset]·W' + b'),   h' = z ⊙ h + (1 − z) ⊙ c. Weights are packed;
 * `parts` has pointer and width of each of [xs : h], then of each of [xs : reset]. A unit is 32 rows.
 */
export function gruRows(
  start: i32,
  end: i32,
  parts: usize,
  count: i32,
  gateWeight: usize,
  gateBias: usize,
  candidateWeight: usize,
  candidateBias: usize,
  biasRows: usize,
  h: usize,
  gates: usize,
  reset: usize,
  candidate: usize,
  next: usize,
  rows: i32,
  k: i32,
  d: i32,
): void {
  const ofReset = parts + ((<usize>count) << 3);
  for (let unit = start; unit < end; unit++) {
    const first = unit * rowsPerUnit;
    const last = min(first + rowsPerUnit, rows);
    multiplyPartsPacked(first, last, parts, count, gateWeight, gateBias, biasRows, k, 2 * d, gates);
    openGates(first, last, gates, h, reset, d);
    multiplyPartsPacked(first, last, ofReset, count, candidateWeight, candidateBias, biasRows, k, d, candidate);
    mixCandidate(first, last, candidate, gates, h, next, d);
  }
}

/** gates = [r : z] = σ(gates),   reset = r ⊙ h */
function openGates(first: i32, last: i32, gates: usize, h: usize, reset: usize, d: i32): void {
  const stride = (<usize>d) << 2;
  for (let row = first; row < last; row++) {
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
function mixCandidate(
  first: i32,
  last: i32,
  candidate: usize,
  gates: usize,
  h: usize,
  next: usize,
  d: i32,
): void {
  const stride = (<usize>d) << 2;
  const one = f32x4.splat(1);
  for (let row = first; row < last; row++) {
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

/** da_c = dh' ⊙ (1 − z) ⊙ (1 − c²),   da_z = dh' ⊙ (h − c) ⊙ z(1 − z). A unit is one row. */
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

/** da_r = dreset ⊙ h ⊙ r(1 − r),   dh = dh' ⊙ z + dreset ⊙ r. A unit is one row. */
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
