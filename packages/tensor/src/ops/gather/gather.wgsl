// out[k] = x[ids[k]], row by row. Values travel as bits, so every dtype is alike.
// With `adds` it is added to what out has, and with `acts` tanh is taken of that: both of floats (see gather-tanh).
// One invocation moves four neighbouring values, as one vector where rows are a multiple of four wide; neighbours read
// along a row and write neighbours. Deterministic: every value has one owner.

import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::tanh::tanh_of_fours;

struct Params {
  // Values of out.
  count: u32,
  width: u32,
}

override in_fours: u32 = 0u;
override adds: u32 = 0u;
override acts: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local) * 4u;
  if (i >= params.count) { return; }
  var four = vec4<u32>();
  if (in_fours == 1u) {
    four = x[(ids[i / params.width] * params.width + i % params.width) / 4u];
  } else {
    for (var lane = 0u; lane < 4u && i + lane < params.count; lane++) {
      let at = ids[(i + lane) / params.width] * params.width + (i + lane) % params.width;
      four[lane] = x[at >> 2u][at & 3u];
    }
  }
  if (adds == 1u) {
    four = bitcast<vec4<u32>>(bitcast<vec4<f32>>(out[i / 4u]) + bitcast<vec4<f32>>(four));
  }
  if (acts == 1u) {
    four = bitcast<vec4<u32>>(tanh_of_fours(bitcast<vec4<f32>>(four)));
  }
  out[i / 4u] = four;
}
