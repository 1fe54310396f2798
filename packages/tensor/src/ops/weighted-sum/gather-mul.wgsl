// out[k] = x[row k]·y[y_ids[k]], row by row.
// One invocation computes four neighbouring values, as one vector where rows are a multiple of four wide.
// Deterministic: every value has one owner.

import package::ops::weighted_sum::through::{through, through_rows};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::units::in_fours;

struct Params {
  // Values of out.
  count: u32,
  width: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x_ids: array<u32>;
@group(0) @binding(3) var<storage, read> y_ids: array<u32>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(5) var<uniform> params: Params;

fn x_at(i: u32) -> u32 {
  if (through == through_rows) {
    return i;
  }
  return x_ids[i / params.width] * params.width + i % params.width;
}

fn y_at(i: u32) -> u32 {
  return y_ids[i / params.width] * params.width + i % params.width;
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local) * 4u;
  if (i >= params.count) { return; }
  if (in_fours == 1u) {
    out[i / 4u] = x[x_at(i) / 4u] * y[y_at(i) / 4u];
    return;
  }
  var four = vec4<f32>();
  for (var lane = 0u; lane < 4u && i + lane < params.count; lane++) {
    let a = x_at(i + lane);
    let b = y_at(i + lane);
    four[lane] = x[a >> 2u][a & 3u] * y[b >> 2u][b & 3u];
  }
  out[i / 4u] = four;
}
