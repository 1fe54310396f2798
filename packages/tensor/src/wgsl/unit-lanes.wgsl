// `lanes` invocations share a unit: each takes every lanes-th entry of it, then a tree joins them in workgroup memory.
// For workgroups of 256 in which neighbours have the same lane of neighbouring units. Deterministic: a fixed tree.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::numbers::larger_fours;
import package::wgsl::units::unit_width;

// A power of two up to 256.
override lanes: u32 = 1u;

struct Place {
  lane: u32,
  // The unit's row and its first column.
  row: u32,
  column: u32,
}

var<workgroup> partial: array<vec4<f32>, 256>;

// For rows of so many units.
fn place_of(group: Group, local: u32, units: u32) -> Place {
  let shared_units = 256u / lanes;
  let unit = group_index(group) * shared_units + local % shared_units;
  return Place(local / shared_units, unit / units, (unit % units) * unit_width());
}

// Columns of its unit that the invocation writes: the first lane writes all of them if the unit is this dispatch's.
fn columns_written(place: Place, mine: bool) -> u32 {
  return select(0u, unit_width(), mine && place.lane == 0u);
}

fn join(p: vec4<f32>, q: vec4<f32>, combine: u32) -> vec4<f32> {
  if (combine == combine_sum) {
    return p + q;
  }
  return larger_fours(p, q);
}

// What the lanes of a unit give together, for the first of them. Every invocation must come here.
fn join_lanes(local: u32, value: vec4<f32>, combine: u32) -> vec4<f32> {
  if (lanes == 1u) {
    return value;
  }
  let units = 256u / lanes;
  partial[local] = value;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (local / units < half) {
      partial[local] = join(partial[local], partial[local + half * units], combine);
    }
  }
  return partial[local];
}

// The same for all of them.
fn join_lanes_for_all(local: u32, value: vec4<f32>, combine: u32) -> vec4<f32> {
  let joined = join_lanes(local, value, combine);
  if (lanes == 1u) {
    return joined;
  }
  workgroupBarrier();
  let first = partial[local % (256u / lanes)];
  workgroupBarrier();
  return first;
}
