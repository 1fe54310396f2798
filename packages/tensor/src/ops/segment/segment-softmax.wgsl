// y[k] = e^(x[k] − top) / Σ e^(x[l] − top) over the entries l of k's segment, column by column.
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations share
// a unit: each takes every lanes-th entry, and trees in workgroup memory give the maximum and the sum. Short segments
// run with one lane, long ones in a second dispatch with many. Deterministic: one owner per value, fixed trees.

import package::wgsl::combine::{combine_max, combine_sum};
import package::wgsl::grid::Group;
import package::wgsl::numbers::{are_nan, from_bits, larger_fours};
import package::wgsl::rows::{is_between, SegmentParams};
import package::wgsl::unit_lanes::{join_lanes_for_all, lanes, place_of};
import package::wgsl::units::{in_fours, unit_in, unit_width};

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: SegmentParams;

// e^v for v ≤ 0 or NaN, without asking exp for −∞.
fn exp_of(v: vec4<f32>) -> vec4<f32> {
  if (in_fours == 0u) {
    // Only the first counts, and an exponential is dear.
    return vec4<f32>(select(select(exp(v.x), 0.0, v.x < -104.0), v.x, are_nan(v).x));
  }
  return select(select(exp(v), vec4<f32>(), v < vec4<f32>(-104.0)), v, are_nan(v));
}

fn load(at: u32) -> vec4<f32> {
  return unit_in(x[at >> 2u], at);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  let start = offsets[min(place.row, params.rows)];
  let end = offsets[min(place.row + 1u, params.rows)];
  let mine = place.row < params.rows && is_between(end - start, params.shortest, params.longest);
  // An invocation without a place.row has no entries and stays for the barriers.
  let last = select(start, end, mine);

  var top = vec4<f32>(from_bits(0xff800000u));
  for (var k = start + place.lane; k < last; k += lanes) {
    top = larger_fours(top, load(k * params.width + place.column));
  }
  top = join_lanes_for_all(local, top, combine_max);

  var total = vec4<f32>();
  for (var k = start + place.lane; k < last; k += lanes) {
    total += exp_of(load(k * params.width + place.column) - top);
  }
  total = join_lanes_for_all(local, total, combine_sum);

  for (var k = start + place.lane; k < last; k += lanes) {
    let at = k * params.width + place.column;
    let result = exp_of(load(at) - top) / total;
    for (var c = 0u; c < unit_width(); c++) {
      y[at + c] = result[c];
    }
  }
}
