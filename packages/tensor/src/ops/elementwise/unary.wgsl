// y = f(x), elementwise; `op` chooses f.
// One invocation computes four neighbouring values. Deterministic: every value has one owner and depends on nothing else.
// Where WGSL's own functions may be off by more than a few roundings (exp, tanh), they are written out.

import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::numbers::{from_bits, is_nan};

struct Params {
  // Groups of four values.
  count: u32,
  // leakyRelu: the slope; clamp: min and max.
  a: f32,
  b: f32,
}

// What `op` may be; host code says the name.
const op_neg = 0u;
const op_exp = 1u;
const op_log = 2u;
const op_sqrt = 3u;
const op_square = 4u;
const op_abs = 5u;
const op_reciprocal = 6u;
const op_tanh = 7u;
const op_sigmoid = 8u;
const op_relu = 9u;
const op_leakyRelu = 10u;
const op_softplus = 11u;
const op_clamp = 12u;
override op: u32 = op_neg;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

// 2^n for −126 ≤ n ≤ 127.
fn power_of_two(n: i32) -> f32 {
  return bitcast<f32>(u32(n + 127) << 23u);
}

// e^v = 2^n·e^r with |r| ≤ ½ log 2; the scale goes on in two halves, since 2^n alone may overflow.
fn exp_of(v: f32) -> f32 {
  if (is_nan(v)) {
    return v;
  }
  let c = clamp(v, -104.0, 89.0);
  let n = round(c * 1.44269504);
  let r = fma(n, 2.12194440e-4, fma(n, -0.693359375, c));
  var p = 1.9875691500e-4;
  p = fma(p, r, 1.3981999507e-3);
  p = fma(p, r, 8.3334519073e-3);
  p = fma(p, r, 4.1665795894e-2);
  p = fma(p, r, 1.6666665459e-1);
  p = fma(p, r, 5.0000001201e-1);
  let e = fma(p, r * r, r) + 1.0;
  let whole = i32(n);
  let half = whole / 2;
  return e * power_of_two(half) * power_of_two(whole - half);
}

fn log_of(v: f32) -> f32 {
  if (is_nan(v)) {
    return v;
  }
  if (v < 0.0) {
    return from_bits(0x7fc00000u);
  }
  if (v == 0.0) {
    return from_bits(0xff800000u);
  }
  if (bitcast<u32>(v) == 0x7f800000u) {
    return v;
  }
  return log(v);
}

fn sqrt_of(v: f32) -> f32 {
  if (v < 0.0) {
    return from_bits(0x7fc00000u);
  }
  return sqrt(v);
}

// Near 0 an odd polynomial, else (1 − e^−2|v|) / (1 + e^−2|v|).
fn tanh_of(v: f32) -> f32 {
  if (is_nan(v)) {
    return v;
  }
  let size = abs(v);
  if (size < 0.625) {
    let z = v * v;
    var p = -5.70498872745e-3;
    p = fma(p, z, 2.06390887954e-2);
    p = fma(p, z, -5.37397155531e-2);
    p = fma(p, z, 1.33314422036e-1);
    p = fma(p, z, -3.33332819422e-1);
    return fma(p * z, v, v);
  }
  let e = exp_of(-2.0 * size);
  return sign(v) * (1.0 - e) / (1.0 + e);
}

fn sigmoid_of(v: f32) -> f32 {
  let e = exp_of(-abs(v));
  return select(e, 1.0, v >= 0.0) / (1.0 + e);
}

// max(v, 0) + log(1 + e^−|v|), with log(1 + e) = 2 artanh(e / (2 + e)) as a series in s ≤ ⅓.
fn softplus_of(v: f32) -> f32 {
  let e = exp_of(-abs(v));
  let s = e / (2.0 + e);
  let z = s * s;
  var p = 1.0 / 13.0;
  p = fma(p, z, 1.0 / 11.0);
  p = fma(p, z, 1.0 / 9.0);
  p = fma(p, z, 1.0 / 7.0);
  p = fma(p, z, 1.0 / 5.0);
  p = fma(p, z, 1.0 / 3.0);
  p = fma(p, z, 1.0);
  return select(0.0, v, v > 0.0) + 2.0 * s * p;
}

fn apply(v: f32) -> f32 {
  switch (op) {
    case op_neg: { return -v; }
    case op_exp: { return exp_of(v); }
    case op_log: { return log_of(v); }
    case op_sqrt: { return sqrt_of(v); }
    case op_square: { return v * v; }
    case op_abs: { return abs(v); }
    case op_reciprocal: { return 1.0 / v; }
    case op_tanh: { return tanh_of(v); }
    case op_sigmoid: { return sigmoid_of(v); }
    case op_relu: { return select(v, 0.0, v < 0.0); }
    case op_leakyRelu: { return select(v, params.a * v, v < 0.0); }
    case op_softplus: { return softplus_of(v); }
    case op_clamp, default: { return select(select(v, params.b, v > params.b), params.a, v < params.a); }
  }
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let v = x[i];
  y[i] = vec4<f32>(apply(v.x), apply(v.y), apply(v.z), apply(v.w));
}
