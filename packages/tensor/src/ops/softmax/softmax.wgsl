// y_i = e^(x_i − top) / Σ_j e^(x_j − top) over rows of n, or y_i = x_i − top − log Σ_j e^(x_j − top) in the log form.
//
// `lanes` neighbouring invocations share a row: each takes every lanes-th four of its values, read as one vector where
// rows are a multiple of four long, and trees in workgroup memory give the maximum and the sum.
// Deterministic: one owner per value, fixed trees.

import package::wgsl::combine::{combine_max, combine_sum};
import package::wgsl::grid::{Group, group_index};
import package::wgsl::numbers::{from_bits, is_nan, larger};
import package::wgsl::row_lanes::{join_lanes, lanes};

struct Params {
  rows: u32,
  n: u32,
}

override log_form: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
// Not in fours: where rows are no multiple of four long, two rows share one, and each part has its own owner.
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

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

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let lane = local % lanes;
  let row = group_index(group) * (256u / lanes) + local / lanes;
  // An invocation past the last row has no values and stays for the barriers.
  let end = select(0u, params.n, row < params.rows);

  var top = from_bits(0xff800000u);
  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c);
    top = larger(top, larger(larger(v.x, v.y), larger(v.z, v.w)));
  }
  top = join_lanes(local, top, combine_max);

  var total = 0.0;
  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c) - top;
    total += exp_of(v.x) + exp_of(v.y) + exp_of(v.z) + exp_of(v.w);
  }
  total = join_lanes(local, total, combine_sum);

  for (var c = 4u * lane; c < end; c += 4u * lanes) {
    let v = load(row, c) - top;
    for (var k = 0u; k < 4u && c + k < end; k++) {
      y[row * params.n + c + k] = select(exp_of(v[k]) / total, v[k] - log_of(total), log_form == 1u);
    }
  }
}
