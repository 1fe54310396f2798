// out[s, t] = Σ_e g_e [x_i : y_j : x_i ⊙ y_j] over the edges e = (i, j) in slice s of type t.
//
// Types are few and have many edges, so each type's edges are cut into slices of `depth`, and a later sum adds the
// slices in order. A unit is four columns of x and y (one column where d is not a multiple of four) in one slice of one
// type; `lanes` invocations share it: each takes every lanes-th edge, then a tree joins them in workgroup memory.
// Deterministic: one owner per value, a fixed tree, slices of fixed size, no atomics.

import package::wgsl::grid::{Group, group_index};
import package::wgsl::units::{unit_in, unit_width};

struct Params {
  types: u32,
  d: u32,
  // Units per type and slice.
  units: u32,
  slices: u32,
  depth: u32,
}

// A power of two up to 64.
override lanes: u32 = 1u;

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> senders: array<u32>;
@group(0) @binding(4) var<storage, read> receivers: array<u32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

// For x_i, y_j and x_i ⊙ y_j, four columns each.
var<workgroup> partial: array<mat3x4<f32>, 64>;

fn x_at(at: u32) -> vec4<f32> {
  return unit_in(x[at >> 2u], at);
}

fn y_at(at: u32) -> vec4<f32> {
  return unit_in(y[at >> 2u], at);
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let shared_units = 64u / lanes;
  let lane = local / shared_units;
  let unit = group_index(group) * shared_units + local % shared_units;
  let d = params.d;
  let column = (unit % params.units) * unit_width();
  let t = (unit / params.units) % params.types;
  let slice = unit / (params.units * params.types);

  var total = mat3x4<f32>();
  if (slice < params.slices) {
    let start = offsets[t] + slice * params.depth;
    let end = min(start + params.depth, offsets[t + 1u]);
    for (var k = start + lane; k < end; k += lanes) {
      let e = order[k];
      let a = x_at(senders[e] * d + column);
      let b = y_at(receivers[e] * d + column);
      total += g[e] * mat3x4<f32>(a, b, a * b);
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && slice < params.slices) {
    let at = (slice * params.types + t) * 3u * d + column;
    for (var part = 0u; part < 3u; part++) {
      for (var c = 0u; c < unit_width(); c++) {
        out[at + part * d + c] = total[part][c];
      }
    }
  }
}
