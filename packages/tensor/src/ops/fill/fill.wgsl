// y = value, everywhere; the value travels as bits, so every dtype is alike.
// One invocation writes four neighbouring values. Deterministic: every value has one owner.

import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Groups of four values.
  count: u32,
  bits: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  y[i] = vec4<u32>(params.bits);
}
