// dx[k] = y[k]·(g[k] − Σ g[l]·y[l]) over the entries l of k's segment, column by column.
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations share
// a unit: each takes every lanes-th entry, then a tree joins them in workgroup memory. Short segments run with one
// lane, long ones in a second dispatch with many. Deterministic: one owner per value, a fixed tree.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::Group;
import package::wgsl::rows::{is_between, SegmentParams};
import package::wgsl::unit_lanes::{join_lanes_for_all, lanes, place_of};
import package::wgsl::units::{unit_in, unit_width};

@group(0) @binding(0) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> g: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(3) var<storage, read_write> dx: array<f32>;
@group(0) @binding(4) var<uniform> params: SegmentParams;

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  // An invocation without a place.row has no entries and stays for the barriers.
  let last = select(start, end, mine);

  var total = vec4<f32>();
  for (var k = start + place.lane; k < last; k += lanes) {
    let at = k * params.width + place.column;
    total += unit_in(g[at >> 2u], at) * unit_in(y[at >> 2u], at);
  }
  total = join_lanes_for_all(local, total, combine_sum);

  for (var k = start + place.lane; k < last; k += lanes) {
    let at = k * params.width + place.column;
    let result = unit_in(y[at >> 2u], at) * (unit_in(g[at >> 2u], at) - total);
    for (var c = 0u; c < unit_width(); c++) {
      dx[at + c] = result[c];
    }
  }
}
