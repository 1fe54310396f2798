// y = f(a, b), elementwise with broadcasting; `op` chooses f. Values travel as bits: float32, int32 and masks alike.
// One invocation computes four neighbouring values of y; an operand in which they lie together is read as a vector.
// Deterministic: every value has one owner and depends on nothing else.

struct Params {
  // Values of y.
  count: u32,
  rank: u32,
  // Up to eight axes, outermost first, and how far each operand moves along them; 0 where it repeats.
  extents: array<vec4<u32>, 2>,
  a_strides: array<vec4<u32>, 2>,
  b_strides: array<vec4<u32>, 2>,
}

override op: u32 = 0u;
// 0: float32; 1: int32 or a mask.
override kind: u32 = 0u;
// What four neighbours of y find in an operand. 0: four neighbours; 1: one value; 2: each a place of its own.
override a_form: u32 = 0u;
override b_form: u32 = 0u;
// Whether the walk has at most one axis: places are then known without dividing.
override one_axis: u32 = 0u;

@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> params: Params;

// By its bits: compilers may assume that v != v never holds.
fn is_nan(v: f32) -> bool {
  return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u;
}

// A call, so that NaN and infinities are made at run time: WGSL rejects them in constants.
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// Where element i of y is found in an operand.
fn a_at(i: u32) -> u32 {
  if (one_axis == 1u) {
    return i * params.a_strides[0].x;
  }
  var rest = i;
  var offset = 0u;
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    offset += (rest % extent) * params.a_strides[axis >> 2u][axis & 3u];
    rest /= extent;
  }
  return offset;
}

fn b_at(i: u32) -> u32 {
  if (one_axis == 1u) {
    return i * params.b_strides[0].x;
  }
  var rest = i;
  var offset = 0u;
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    offset += (rest % extent) * params.b_strides[axis >> 2u][axis & 3u];
    rest /= extent;
  }
  return offset;
}

fn load_a(i: u32) -> vec4<u32> {
  let first = a_at(4u * i);
  if (a_form == 0u) {
    return a[first >> 2u];
  }
  if (a_form == 1u) {
    return vec4<u32>(a[first >> 2u][first & 3u]);
  }
  var values = vec4<u32>();
  for (var lane = 0u; lane < 4u; lane++) {
    let at = a_at(4u * i + lane);
    values[lane] = a[at >> 2u][at & 3u];
  }
  return values;
}

fn load_b(i: u32) -> vec4<u32> {
  let first = b_at(4u * i);
  if (b_form == 0u) {
    return b[first >> 2u];
  }
  if (b_form == 1u) {
    return vec4<u32>(b[first >> 2u][first & 3u]);
  }
  var values = vec4<u32>();
  for (var lane = 0u; lane < 4u; lane++) {
    let at = b_at(4u * i + lane);
    values[lane] = b[at >> 2u][at & 3u];
  }
  return values;
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
    case 0u: { return bitcast<u32>(p + q); }
    case 1u: { return bitcast<u32>(p - q); }
    case 2u: { return bitcast<u32>(p * q); }
    case 3u: { return bitcast<u32>(p / q); }
    case 4u: { return select(bitcast<u32>(select(q, p, p > q)), 0x7fc00000u, unordered); }
    case 5u: { return select(bitcast<u32>(select(q, p, p < q)), 0x7fc00000u, unordered); }
    case 6u: { return bitcast<u32>(power(p, q)); }
    case 7u: { return u32(!unordered && p == q); }
    case 8u: { return u32(unordered || p != q); }
    case 9u: { return u32(!unordered && p < q); }
    case 10u: { return u32(!unordered && p <= q); }
    case 11u: { return u32(!unordered && p > q); }
    case 12u: { return u32(!unordered && p >= q); }
    default: { return bitcast<u32>(p * (1.0 - q * q)); }
  }
}

fn of_integers(p: i32, q: i32) -> u32 {
  switch (op) {
    case 0u: { return bitcast<u32>(p + q); }
    case 1u: { return bitcast<u32>(p - q); }
    case 2u: { return bitcast<u32>(p * q); }
    case 4u: { return bitcast<u32>(max(p, q)); }
    case 5u: { return bitcast<u32>(min(p, q)); }
    case 7u: { return u32(p == q); }
    case 8u: { return u32(p != q); }
    case 9u: { return u32(p < q); }
    case 10u: { return u32(p <= q); }
    case 11u: { return u32(p > q); }
    default: { return u32(p >= q); }
  }
}

fn apply(p: u32, q: u32) -> u32 {
  if (kind == 0u) {
    return of_floats(bitcast<f32>(p), bitcast<f32>(q));
  }
  return of_integers(bitcast<i32>(p), bitcast<i32>(q));
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + local;
  if (4u * i >= params.count) {
    return;
  }
  let p = load_a(i);
  let q = load_b(i);
  y[i] = vec4<u32>(apply(p.x, q.x), apply(p.y, q.y), apply(p.z, q.z), apply(p.w, q.w));
}
