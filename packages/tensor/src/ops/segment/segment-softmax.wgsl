// y[k] = e^(x[k] − top) / Σ e^(x[l] − top) over the entries l of k's segment, column by column.
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations share
// a unit: each takes every lanes-th entry, and trees in workgroup memory give the maximum and the sum. Short segments
// run with one lane, long ones in a second dispatch with many. Deterministic: one owner per value, fixed trees.

struct Params {
  segments: u32,
  width: u32,
  // Units per segment.
  units: u32,
  // Only segments of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

// A call, so that infinities are made at run time: WGSL rejects them in constants.
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn is_nan(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// NaN wins.
fn larger(p: vec4<f32>, q: vec4<f32>) -> vec4<f32> {
  return select(select(q, p, (p > q) | is_nan(p)), q, is_nan(q));
}

// e^v for v ≤ 0 or NaN, without asking exp for −∞.
fn exp_of(v: vec4<f32>) -> vec4<f32> {
  if (in_fours == 0u) {
    // All four are the same, and an exponential is dear.
    return vec4<f32>(select(select(exp(v.x), 0.0, v.x < -104.0), v.x, is_nan(v).x));
  }
  return select(select(exp(v), vec4<f32>(), v < vec4<f32>(-104.0)), v, is_nan(v));
}

fn load(at: u32) -> vec4<f32> {
  if (in_fours == 1u) {
    return x[at >> 2u];
  }
  return vec4<f32>(x[at >> 2u][at & 3u]);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let shared_units = 256u / lanes;
  let lane = local / shared_units;
  let unit = (group.y * groups.x + group.x) * shared_units + local % shared_units;
  let segment = unit / params.units;
  let column = (unit % params.units) * select(1u, 4u, in_fours == 1u);

  // An invocation without a segment has no entries and stays for the barriers.
  var start = 0u;
  var end = 0u;
  if (segment < params.segments) {
    let length = offsets[segment + 1u] - offsets[segment];
    if (length >= params.shortest && length <= params.longest) {
      start = offsets[segment];
      end = offsets[segment + 1u];
    }
  }

  var top = vec4<f32>(from_bits(0xff800000u));
  for (var k = start + lane; k < end; k += lanes) {
    top = larger(top, load(k * params.width + column));
  }
  if (lanes > 1u) {
    partial[local] = top;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = larger(partial[local], partial[local + half * shared_units]);
      }
    }
    workgroupBarrier();
    top = partial[local % shared_units];
    workgroupBarrier();
  }

  var total = vec4<f32>();
  for (var k = start + lane; k < end; k += lanes) {
    total += exp_of(load(k * params.width + column) - top);
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    workgroupBarrier();
    total = partial[local % shared_units];
  }

  for (var k = start + lane; k < end; k += lanes) {
    let at = k * params.width + column;
    let result = exp_of(load(at) - top) / total;
    y[at] = result.x;
    if (in_fours == 1u) {
      y[at + 1u] = result.y;
      y[at + 2u] = result.z;
      y[at + 3u] = result.w;
    }
  }
}
