// y[k] = e^(x[k] − top) / Σ e^(x[l] − top) over the entries l of k's segment, column by column.
//
// A unit is a column of a segment. `lanes` invocations share a unit: each takes every lanes-th entry, and trees in
// workgroup memory give the maximum and the sum. Short segments run with one lane, long ones in a second dispatch with
// many. Deterministic: one owner per value, fixed trees.

struct Params {
  segments: u32,
  width: u32,
  // Only segments of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> partial: array<f32, 256>;

// A call, so that infinities are made at run time: WGSL rejects them in constants.
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn is_nan(v: f32) -> bool {
  return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u;
}

// NaN wins.
fn larger(p: f32, q: f32) -> f32 {
  return select(select(q, p, p > q || is_nan(p)), q, is_nan(q));
}

// e^v for v ≤ 0 or NaN, without asking exp for −∞.
fn exp_of(v: f32) -> f32 {
  return select(select(exp(v), 0.0, v < -104.0), v, is_nan(v));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let units = 256u / lanes;
  let lane = local / units;
  let unit = (group.y * groups.x + group.x) * units + local % units;
  let segment = unit / params.width;
  let column = unit % params.width;

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

  var top = from_bits(0xff800000u);
  for (var k = start + lane; k < end; k += lanes) {
    top = larger(top, x[k * params.width + column]);
  }
  if (lanes > 1u) {
    partial[local] = top;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = larger(partial[local], partial[local + half * units]);
      }
    }
    workgroupBarrier();
    top = partial[local % units];
    workgroupBarrier();
  }

  var total = 0.0;
  for (var k = start + lane; k < end; k += lanes) {
    total += exp_of(x[k * params.width + column] - top);
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * units];
      }
    }
    workgroupBarrier();
    total = partial[local % units];
  }

  for (var k = start + lane; k < end; k += lanes) {
    y[k * params.width + column] = exp_of(x[k * params.width + column] - top) / total;
  }
}
