// y = f(a, b), elementwise with broadcasting; `op` chooses f. Values travel as bits: float32, int32 and masks alike.
// One invocation computes four neighbouring values of y; an operand in which they lie together is read as a vector.
// Deterministic: every value has one owner and depends on nothing else.

import package::wgsl::dtypes::dtype_float32;
import package::wgsl::forms::{form_each, form_four, form_one};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::numbers::{from_bits, is_nan};

struct Params {
  // Values of y.
  count: u32,
  rank: u32,
  // Up to eight axes, outermost first, and how far each operand moves along them; 0 where it repeats.
  extents: array<vec4<u32>, 2>,
  a_strides: array<vec4<u32>, 2>,
  b_strides: array<vec4<u32>, 2>,
}

// What `op` may be; host code says the name.
const op_add = 0u;
const op_sub = 1u;
const op_mul = 2u;
const op_div = 3u;
const op_maximum = 4u;
const op_minimum = 5u;
const op_pow = 6u;
const op_equal = 7u;
const op_notEqual = 8u;
const op_less = 9u;
const op_lessEqual = 10u;
const op_greater = 11u;
const op_greaterEqual = 12u;
const op_tanhGrad = 13u;
override op: u32 = op_add;
override dtype: u32 = dtype_float32;
override a_form: u32 = form_four;
override b_form: u32 = form_four;
// Whether the walk has at most one axis: places are then known without dividing.
override one_axis: u32 = 0u;

@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> params: Params;

// Where value i of y is found in a and b.
fn places(i: u32) -> vec2<u32> {
  if (one_axis == 1u) {
    return i * vec2<u32>(params.a_strides[0].x, params.b_strides[0].x);
  }
  var rest = i;
  var at = vec2<u32>();
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    let strides = vec2<u32>(params.a_strides[axis >> 2u][axis & 3u], params.b_strides[axis >> 2u][axis & 3u]);
    at += (rest % extent) * strides;
    rest /= extent;
  }
  return at;
}

// |p|^q by pow, the rest by IEEE 754's table; a negative base has real powers only for whole exponents.
fn power(p: f32, q: f32) -> f32 {
  if (q == 0.0) {
    return 1.0;
  }
  if (is_nan(p) || is_nan(q)) {
    return from_bits(0x7fc00000u);
  }
  let size = abs(p);
  let infinity = from_bits(0x7f800000u);
  let whole = floor(q) == q;
  let odd = whole && abs(q) < 16777216.0 && (i32(clamp(q, -16777216.0, 16777216.0)) & 1) != 0;
  var result = 0.0;
  if (abs(q) == infinity) {
    if (size == 1.0) {
      return from_bits(0x7fc00000u);
    }
    result = select(0.0, infinity, (size > 1.0) == (q > 0.0));
  } else if (size == 0.0) {
    result = select(infinity, 0.0, q > 0.0);
  } else if (size == infinity) {
    result = select(0.0, infinity, q > 0.0);
  } else {
    if (p < 0.0 && !whole) {
      return from_bits(0x7fc00000u);
    }
    result = select(pow(size, q), size, q == 1.0);
  }
  return select(result, -result, odd && (bitcast<u32>(p) >> 31u) == 1u);
}

fn of_floats(p: f32, q: f32) -> u32 {
  let unordered = is_nan(p) || is_nan(q);
  switch (op) {
    case op_add: { return bitcast<u32>(p + q); }
    case op_sub: { return bitcast<u32>(p - q); }
    case op_mul: { return bitcast<u32>(p * q); }
    case op_div: { return bitcast<u32>(p / q); }
    case op_maximum: { return select(bitcast<u32>(select(q, p, p > q)), 0x7fc00000u, unordered); }
    case op_minimum: { return select(bitcast<u32>(select(q, p, p < q)), 0x7fc00000u, unordered); }
    case op_pow: { return bitcast<u32>(power(p, q)); }
    case op_equal: { return u32(!unordered && p == q); }
    case op_notEqual: { return u32(unordered || p != q); }
    case op_less: { return u32(!unordered && p < q); }
    case op_lessEqual: { return u32(!unordered && p <= q); }
    case op_greater: { return u32(!unordered && p > q); }
    case op_greaterEqual: { return u32(!unordered && p >= q); }
    case op_tanhGrad, default: { return bitcast<u32>(p * (1.0 - q * q)); }
  }
}

fn of_integers(p: i32, q: i32) -> u32 {
  switch (op) {
    case op_add: { return bitcast<u32>(p + q); }
    case op_sub: { return bitcast<u32>(p - q); }
    case op_mul: { return bitcast<u32>(p * q); }
    case op_maximum: { return bitcast<u32>(max(p, q)); }
    case op_minimum: { return bitcast<u32>(min(p, q)); }
    case op_equal: { return u32(p == q); }
    case op_notEqual: { return u32(p != q); }
    case op_less: { return u32(p < q); }
    case op_lessEqual: { return u32(p <= q); }
    case op_greater: { return u32(p > q); }
    case op_greaterEqual, default: { return u32(p >= q); }
  }
}

fn apply(p: u32, q: u32) -> u32 {
  if (dtype == dtype_float32) {
    return of_floats(bitcast<f32>(p), bitcast<f32>(q));
  }
  return of_integers(bitcast<i32>(p), bitcast<i32>(q));
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (4u * i >= params.count) { return; }
  let at = places(4u * i);
  var p = a[at.x >> 2u];
  var q = b[at.y >> 2u];
  if (a_form == form_one) {
    p = vec4<u32>(p[at.x & 3u]);
  }
  if (b_form == form_one) {
    q = vec4<u32>(q[at.y & 3u]);
  }
  if (a_form == form_each || b_form == form_each) {
    for (var lane = 0u; lane < 4u; lane++) {
      let own = places(4u * i + lane);
      p[lane] = select(p[lane], a[own.x >> 2u][own.x & 3u], a_form == form_each);
      q[lane] = select(q[lane], b[own.y >> 2u][own.y & 3u], b_form == form_each);
    }
  }
  y[i] = vec4<u32>(apply(p.x, q.x), apply(p.y, q.y), apply(p.z, q.z), apply(p.w, q.w));
}
