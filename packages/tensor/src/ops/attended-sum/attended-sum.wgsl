// out[r] = Σ tanh(w_k·v[from k] + b) + unattended[r]·tanh(b) over the messages k that row r receives.
//
// A unit is four columns of a row of out (one where heads are not a multiple of four wide). `lanes` invocations share a
// unit: each takes every lanes-th message, then a tree joins them in workgroup memory, as in segment-reduce.
// Deterministic: one owner per value, a fixed tree, no atomics.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::Group;
import package::wgsl::rows::{HeadsParams, is_between};
import package::wgsl::tanh::tanh_of_fours;
import package::wgsl::unit_lanes::{columns_written, join_lanes, lanes, place_of};
import package::wgsl::units::unit_in;

override has_unattended: u32 = 0u;

@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> ids: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> unattended: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: HeadsParams;

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);
  let heads = params.width / params.head_width;
  let head = place.column / params.head_width;

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  var total = vec4<f32>();
  if (mine) {
    let in_head = place.column % params.head_width;
    let b = unit_in(bias[in_head >> 2u], in_head);
    for (var j = start + place.lane; j < end; j += lanes) {
      let k = order[j];
      let at = ids[k] * params.width + place.column;
      total += tanh_of_fours(weights[k * heads + head] * unit_in(values[at >> 2u], at) + b);
    }
    if (has_unattended == 1u && place.lane == 0u) {
      total += unattended[place.row] * tanh_of_fours(b);
    }
  }
  total = join_lanes(local, total, combine_sum);
  let at = place.row * params.width + place.column;
  for (var c = 0u; c < columns_written(place, mine); c++) {
    out[at + c] = total[c];
  }
}
