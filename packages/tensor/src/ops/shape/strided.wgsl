// out[out_start + i·out_strides] = x[in_start + i·in_strides] for every index i: permute, broadcastTo, slice, one part
// of concat, the inside of pad, assign. Values travel as bits, so every dtype is alike.
// Not in fours: this takes the layouts that strided-fours and transpose cannot.
// One invocation moves one value; neighbours write neighbours. Deterministic: every value has one owner.

import package::ops::shape::walk::{params, places_of};
import package::wgsl::grid::{Group, index_of_64};

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let places = places_of(i);
  out[places.y] = x[places.x];
}
