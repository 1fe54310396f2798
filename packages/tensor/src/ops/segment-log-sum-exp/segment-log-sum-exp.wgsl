// y[s] = top + log Σ e^(x[k] − top) over the entries k of segment s, with top the largest, column by column.
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations share
// a unit: each takes every lanes-th entry, and trees in workgroup memory give the maximum and the sum. Short segments
// run with one lane, long ones in a second dispatch with many. Deterministic: one owner per value, fixed trees.

import package::wgsl::combine::{combine_max, combine_sum};
import package::wgsl::grid::Group;
import package::wgsl::numbers::{from_bits, larger_fours};
import package::wgsl::rows::{is_between, SegmentParams};
import package::wgsl::unit_lanes::{columns_written, join_lanes, join_lanes_for_all, lanes, place_of};
import package::wgsl::units::unit_in;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: SegmentParams;

fn load(k: u32, column: u32) -> vec4<f32> {
  let at = k * params.width + column;
  return unit_in(x[at >> 2u], at);
}

// By its bits: compilers may assume that all values are.
fn are_finite(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) < vec4<u32>(0x7f800000u);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  // An invocation without a segment has no entries and stays for the barriers.
  let last = select(start, end, mine);

  var top = vec4<f32>(from_bits(0xff800000u));
  for (var k = start + place.lane; k < last; k += lanes) {
    top = larger_fours(top, load(k, place.column));
  }
  top = join_lanes_for_all(local, top, combine_max);

  // Where top is infinite or NaN it is the result, which that of an empty segment is too.
  let finite = are_finite(top);
  let base = select(vec4<f32>(), top, finite);
  var total = vec4<f32>();
  for (var k = start + place.lane; k < last; k += lanes) {
    total += exp(max(load(k, place.column) - base, vec4<f32>(-104.0)));
  }
  total = join_lanes(local, total, combine_sum);
  let result = select(top, base + log(total), finite);
  let at = place.row * params.width + place.column;
  for (var c = 0u; c < columns_written(place, mine); c++) {
    y[at + c] = result[c];
  }
}
