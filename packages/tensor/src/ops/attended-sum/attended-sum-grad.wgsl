// slopes_k = dout[into k] ⊙ (1 − tanh²(w_k·v[from k] + b)),   dweights_k = slopes_k · v[from k], for each head.
//
// A unit is one head of a message. `lanes` invocations share it: each takes every lanes-th four of its columns (every
// lanes-th column where heads are not a multiple of four wide), then a tree joins their parts of the product.
// Deterministic: one owner per value, a fixed tree, no atomics.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::row_lanes::{join_lanes, lanes};
import package::wgsl::tanh::tanh_of_fours;
import package::wgsl::units::{unit_in, unit_width};

struct Params {
  // Messages times heads.
  units: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
}

@group(0) @binding(0) var<storage, read> dout: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> from_ids: array<u32>;
@group(0) @binding(5) var<storage, read> into_ids: array<u32>;
@group(0) @binding(6) var<storage, read_write> slopes: array<f32>;
@group(0) @binding(7) var<storage, read_write> dweights: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

fn dout_at(at: u32) -> vec4<f32> {
  return unit_in(dout[at >> 2u], at);
}

fn values_at(at: u32) -> vec4<f32> {
  return unit_in(values[at >> 2u], at);
}

fn bias_at(at: u32) -> vec4<f32> {
  return unit_in(bias[at >> 2u], at);
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let lane = local % lanes;
  let unit = group_index(group) * (64u / lanes) + local / lanes;
  var total = 0.0;
  if (unit < params.units) {
    let heads = params.width / params.head_width;
    let k = unit / heads;
    let first = (unit % heads) * params.head_width;
    let at_values = from_ids[k] * params.width + first;
    let at_dout = into_ids[k] * params.width + first;
    let at_slopes = k * params.width + first;
    let weight = weights[unit];
    let step = unit_width();
    for (var c = step * lane; c < params.head_width; c += step * lanes) {
      let value = values_at(at_values + c);
      let acted = tanh_of_fours(weight * value + bias_at(c));
      let slope = dout_at(at_dout + c) * (1.0 - acted * acted);
      for (var i = 0u; i < step; i++) {
        slopes[at_slopes + c + i] = slope[i];
      }
      total += dot(slope, value);
    }
  }
  total = join_lanes(local, total, combine_sum);
  if (lane == 0u && unit < params.units) {
    dweights[unit] = total;
  }
}
