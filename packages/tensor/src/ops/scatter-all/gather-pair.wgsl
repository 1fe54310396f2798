// out0[k] = x[ids0[k]] and out1[k] = x[ids1[k]], row by row.
// One invocation moves four neighbouring values, as one vector where rows are a multiple of four wide; the first
// invocations are those of out0, the others those of out1. Deterministic: every value has one owner.

import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Values of out0 and of out1, and fours of out0.
  count0: u32,
  count1: u32,
  fours0: u32,
  width: u32,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> ids0: array<u32>;
@group(0) @binding(2) var<storage, read> ids1: array<u32>;
@group(0) @binding(3) var<storage, read_write> out0: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out1: array<vec4<f32>>;
@group(0) @binding(5) var<uniform> params: Params;

fn id_of(second: bool, k: u32) -> u32 {
  if (second) {
    return ids1[k];
  }
  return ids0[k];
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = index_of_64(group, local);
  let second = place >= params.fours0;
  let i = select(place, place - params.fours0, second) * 4u;
  let count = select(params.count0, params.count1, second);
  if (i >= count) { return; }
  var four = vec4<f32>();
  if (in_fours == 1u) {
    four = x[(id_of(second, i / params.width) * params.width + i % params.width) / 4u];
  } else {
    for (var lane = 0u; lane < 4u && i + lane < count; lane++) {
      let at = id_of(second, (i + lane) / params.width) * params.width + (i + lane) % params.width;
      four[lane] = x[at >> 2u][at & 3u];
    }
  }
  if (second) {
    out1[i / 4u] = four;
  } else {
    out0[i / 4u] = four;
  }
}
