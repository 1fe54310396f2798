// out[s] = Σ x[row k] or max x[row k] over the entries k of segment s, column by column: segmentSum and segmentMax
// (row k = k), scatterAdd (row k = order[k]), gatherSum (row k = ids[order[k]]).
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations
// share a unit: each takes every lanes-th entry, then a tree joins them in workgroup memory. Short segments run with
// one lane, long ones in a second dispatch with many, so the work follows the number of entries and no segment
// waits for one invocation. Deterministic: one owner per value, a fixed tree, no atomics.

import package::wgsl::combine::{combine_max, combine_sum};
import package::wgsl::grid::Group;
import package::wgsl::numbers::from_bits;
import package::wgsl::rows::{is_between, SegmentParams};
import package::wgsl::unit_lanes::{columns_written, join, join_lanes, lanes, place_of};
import package::wgsl::units::unit_in;

override combine: u32 = combine_sum;
// Entry k reads row k of x, row order[k], or row ids[order[k]].
const through_rows = 0u;
const through_order = 1u;
const through_ids = 2u;
override through: u32 = through_rows;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> ids: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: SegmentParams;

fn load(k: u32, column: u32) -> vec4<f32> {
  var row = k;
  if (through == through_order) {
    row = order[k];
  } else if (through == through_ids) {
    row = ids[order[k]];
  }
  let at = row * params.width + column;
  return unit_in(x[at >> 2u], at);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  let is_empty = start == end;
  var total = vec4<f32>(select(0.0, from_bits(0xff800000u), combine == combine_max && !is_empty));
  if (mine) {
    for (var k = start + place.lane; k < end; k += lanes) {
      total = join(total, load(k, place.column), combine);
    }
  }
  total = join_lanes(local, total, combine);
  let at = place.row * params.width + place.column;
  for (var c = 0u; c < columns_written(place, mine); c++) {
    out[at + c] = total[c];
  }
}
