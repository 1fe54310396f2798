// out[e] = w_t · [x_i : y_j : x_i ⊙ y_j] + b_t, for the edge e = (i, j) of type t; no [edges, 3d] tensor exists.
//
// `lanes` neighbouring invocations share an edge: each takes every lanes-th column (or four columns, where d is a
// multiple of four), so rows are read side by side; a tree joins them in workgroup memory.
// Deterministic: one owner per value, a fixed tree.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::row_lanes::{join_lanes, lanes};

struct Params {
  edges: u32,
  d: u32,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> senders: array<u32>;
@group(0) @binding(5) var<storage, read> receivers: array<u32>;
@group(0) @binding(6) var<storage, read> types: array<u32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

fn weight_at(at: u32) -> f32 {
  return weight[at >> 2u][at & 3u];
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let lane = local % lanes;
  let e = group_index(group) * (64u / lanes) + local / lanes;
  var total = 0.0;
  if (e < params.edges) {
    let d = params.d;
    let at_x = senders[e] * d;
    let at_y = receivers[e] * d;
    let at_w = types[e] * 3u * d;
    if (in_fours == 1u) {
      for (var c = 4u * lane; c < d; c += 4u * lanes) {
        let a = x[(at_x + c) >> 2u];
        let b = y[(at_y + c) >> 2u];
        let w1 = weight[(at_w + c) >> 2u];
        let w2 = weight[(at_w + d + c) >> 2u];
        let w3 = weight[(at_w + 2u * d + c) >> 2u];
        total += dot(w1, a) + dot(w2 + w3 * a, b);
      }
    } else {
      for (var c = lane; c < d; c += lanes) {
        let a = x[(at_x + c) >> 2u][(at_x + c) & 3u];
        let b = y[(at_y + c) >> 2u][(at_y + c) & 3u];
        total += weight_at(at_w + c) * a + (weight_at(at_w + d + c) + weight_at(at_w + 2u * d + c) * a) * b;
      }
    }
  }
  total = join_lanes(local, total, combine_sum);
  if (lane == 0u && e < params.edges) {
    out[e] = total + bias[types[e]];
  }
}
