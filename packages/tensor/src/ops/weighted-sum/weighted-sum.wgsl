// out[r] = Σ w[k]·x[row k] over the entries k of row r, column by column; a weight for each of the heads of a row.
//
// A unit is four columns of a row of out (one where heads are not a multiple of four wide). `lanes` invocations share a
// unit: each takes every lanes-th entry, then a tree joins them in workgroup memory, as in segment-reduce.
// Deterministic: one owner per value, a fixed tree, no atomics.

import package::ops::weighted_sum::through::{through, through_ids};
import package::wgsl::combine::combine_sum;
import package::wgsl::grid::Group;
import package::wgsl::rows::{HeadsParams, is_between};
import package::wgsl::unit_lanes::{columns_written, join_lanes, lanes, place_of};
import package::wgsl::units::unit_in;

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<uniform> params: HeadsParams;

fn term(k: u32, column: u32) -> vec4<f32> {
  let entry = order[k];
  var row = entry;
  if (through == through_ids) {
    row = ids[entry];
  }
  let weight = w[entry * (params.width / params.head_width) + column / params.head_width];
  let at = row * params.width + column;
  return weight * unit_in(x[at >> 2u], at);
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
      total += term(k, place.column);
    }
  }
  total = join_lanes(local, total, combine_sum);
  let at = place.row * params.width + place.column;
  for (var c = 0u; c < columns_written(place, mine); c++) {
    out[at + c] = total[c];
  }
}
