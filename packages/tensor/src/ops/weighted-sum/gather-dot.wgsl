// out[k, h] = Σ x[x_row k, c]·y[y_row k, c] over the columns c of head h.
// One invocation computes one value. Deterministic: every value has one owner, columns are added in order.

import package::ops::weighted_sum::through::{through, through_ids};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::units::in_fours;

struct Params {
  // Values of out.
  count: u32,
  heads: u32,
  // Columns of a head.
  head_width: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x_ids: array<u32>;
@group(0) @binding(3) var<storage, read> y_ids: array<u32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let k = i / params.heads;
  let first = (i % params.heads) * params.head_width;
  let width = params.heads * params.head_width;
  var y_row = k;
  if (through == through_ids) {
    y_row = y_ids[k];
  }
  let a = x_ids[k] * width + first;
  let b = y_row * width + first;
  var total = 0.0;
  if (in_fours == 1u) {
    for (var c = 0u; c < params.head_width; c += 4u) {
      total += dot(x[(a + c) / 4u], y[(b + c) / 4u]);
    }
  } else {
    for (var c = 0u; c < params.head_width; c++) {
      let p = a + c;
      let q = b + c;
      total += x[p >> 2u][p & 3u] * y[q >> 2u][q & 3u];
    }
  }
  out[i] = total;
}
