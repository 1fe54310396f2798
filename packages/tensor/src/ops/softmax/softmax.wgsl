// y_i = e^(x_i − top) / Σ_j e^(x_j − top) over rows of n, or y_i = x_i − top − log Σ_j e^(x_j − top) in the log form.
//
// `lanes` neighbouring invocations share a row: each takes every lanes-th value, and trees in workgroup memory give
// the maximum and the sum. Deterministic: one owner per value, fixed trees.

struct Params {
  rows: u32,
  n: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override log_form: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
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
  let first = row * params.n + lane;
  let end = select(first, (row + 1u) * params.n, row < params.rows);

  var top = from_bits(0xff800000u);
  for (var i = first; i < end; i += lanes) {
    top = larger(top, x[i]);
  }
  top = row_maximum(local, lane, top);

  var total = 0.0;
  for (var i = first; i < end; i += lanes) {
    total += exp_of(x[i] - top);
  }
  total = row_sum(local, lane, total);

  for (var i = first; i < end; i += lanes) {
    if (log_form == 1u) {
      y[i] = x[i] - top - log(total);
    } else {
      y[i] = exp_of(x[i] - top) / total;
    }
  }
}
