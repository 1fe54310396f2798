// y_i = e^(x_i − top) / Σ_j e^(x_j − top) over rows of n, or y_i = x_i − top − log Σ_j e^(x_j − top) in the log form.
//
// `lanes` neighbouring invocations share a row: each takes every lanes-th four of its values, read as one vector where
// rows are a multiple of four long, and trees in workgroup memory give the maximum and the sum.
// Deterministic: one owner per value, fixed trees.

struct Params {
  rows: u32,
  n: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override log_form: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
// Not in fours: where rows are no multiple of four long, two rows share one, and each part has its own owner.
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

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

// Four neighbours of a row from `column` on, −∞ past its end: that counts neither for the maximum nor for the sum.
fn load(row: u32, column: u32) -> vec4<f32> {
  let at = row * params.n + column;
  if (in_fours == 1u) {
    return x[at >> 2u];
  }
  var four = vec4<f32>(from_bits(0xff800000u));
  for (var lane = 0u; lane < 4u && column + lane < params.n; lane++) {
    four[lane] = x[(at + lane) >> 2u][(at + lane) & 3u];
  }
  return four;
}

// log v for v > 0 or NaN, without asking log for NaN.
fn log_of(v: f32) -> f32 {
  return select(log(v), v, is_nan(v));
}

fn row_maximum(local: u32, lane: u32, value: f32) -> f32 {
  if (lanes == 1u) {
    return value;
  }
  workgroupBarrier();
  partial[local] = value;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      partial[local] = larger(partial[local], partial[local + half]);
    }
  }
  workgroupBarrier();
  return partial[local - lane];
}

fn row_sum(local: u32, lane: u32, value: f32) -> f32 {
  if (lanes == 1u) {
    return value;
  }
  workgroupBarrier();
  partial[local] = value;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      partial[local] = partial[local] + partial[local + half];
    }
  }
  workgroupBarrier();
  return partial[local - lane];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let lane = local % lanes;
  let row = (group.y * groups.x + group.x) * (256u / lanes) + local / lanes;
  // An invocation past the last row has no values and stays for the barriers.
  let end = select(0u, params.n, row < params.rows);

  var top = from_bits(0xff800000u);
  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c);
    top = larger(top, larger(larger(v.x, v.y), larger(v.z, v.w)));
  }
  top = row_maximum(local, lane, top);

  var total = 0.0;
  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c) - top;
    total += exp_of(v.x) + exp_of(v.y) + exp_of(v.z) + exp_of(v.w);
  }
  total = row_sum(local, lane, total);

  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c) - top;
    for (var k = 0u; k < 4u && c + k < end; k++) {
      y[row * params.n + c + k] = select(exp_of(v[k]) / total, v[k] - log_of(total), log_form == 1u);
    }
  }
}
