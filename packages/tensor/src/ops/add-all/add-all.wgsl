// y = Σ_i Σ_p x_i[p] (+ y), for up to seven terms x_i, each a stack of p layers of y's size.
// More terms take several dispatches, of which the later ones add to y. One invocation computes four neighbouring
// values, read as vectors where layers are a multiple of four long. Deterministic: one owner per value, terms in order.

import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Values of y.
  count: u32,
  terms: u32,
  // 1: y holds the sum of earlier terms.
  adds: u32,
  // Layers of each term.
  layers: array<vec4<u32>, 2>,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x2: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> x3: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> x4: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> x5: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> x6: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(8) var<uniform> params: Params;

fn four_of(term: u32, i: u32) -> vec4<f32> {
  switch (term) {
    case 0u: { return x0[i]; }
    case 1u: { return x1[i]; }
    case 2u: { return x2[i]; }
    case 3u: { return x3[i]; }
    case 4u: { return x4[i]; }
    case 5u: { return x5[i]; }
    default: { return x6[i]; }
  }
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (4u * i >= params.count) { return; }
  var total = vec4<f32>();
  if (params.adds == 1u) {
    total = y[i];
  }
  for (var term = 0u; term < params.terms; term++) {
    let layers = params.layers[term >> 2u][term & 3u];
    for (var layer = 0u; layer < layers; layer++) {
      let first = layer * params.count + 4u * i;
      if (in_fours == 1u) {
        total += four_of(term, first >> 2u);
      } else {
        for (var lane = 0u; lane < 4u && 4u * i + lane < params.count; lane++) {
          let at = first + lane;
          total[lane] += four_of(term, at >> 2u)[at & 3u];
        }
      }
    }
  }
  y[i] = total;
}
