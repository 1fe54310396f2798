// out[i] = Σ_e g_e (w^side_t + w³_t ⊙ other[far end of e]) over the edges e of node i on one side.
//
// A unit is four columns of a node (one column where d is not a multiple of four). `lanes` invocations share a unit:
// each takes every lanes-th edge, then a tree joins them in workgroup memory. Nodes of few edges run with one lane,
// those of many in a second dispatch with many. Deterministic: one owner per value, a fixed tree, no atomics.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::Group;
import package::wgsl::rows::is_between;
import package::wgsl::unit_lanes::{columns_written, join_lanes, lanes, place_of};
import package::wgsl::units::unit_in;

struct Params {
  rows: u32,
  width: u32,
  // Units per row.
  units: u32,
  // Where the side's part of a weight begins: 0 for senders, width for receivers.
  part: u32,
  // Only rows of so many edges are this dispatch's.
  shortest: u32,
  longest: u32,
}

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> other: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> far: array<u32>;
@group(0) @binding(4) var<storage, read> types: array<u32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

fn weight_at(at: u32) -> vec4<f32> {
  return unit_in(weight[at >> 2u], at);
}

fn other_at(at: u32) -> vec4<f32> {
  return unit_in(other[at >> 2u], at);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  var total = vec4<f32>();
  if (mine) {
    for (var k = start + place.lane; k < end; k += lanes) {
      let e = order[k];
      let at_w = types[e] * 3u * params.width + place.column;
      let product = weight_at(at_w + 2u * params.width) * other_at(far[e] * params.width + place.column);
      total += g[e] * (weight_at(at_w + params.part) + product);
    }
  }
  total = join_lanes(local, total, combine_sum);
  let at = place.row * params.width + place.column;
  for (var c = 0u; c < columns_written(place, mine); c++) {
    out[at + c] = total[c];
  }
}
