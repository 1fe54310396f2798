// dW[s] = [x0 : x1 : x2]ᵀ·dy and db[s] = Σ dy, over the rows of slice s.
//
// The bias belongs to a last input that is 1 everywhere, so it is one more row of the product. A workgroup of 16 × 16
// computes a tile of 64 × 64 values of one slice; an invocation computes 4 × 4 of them in registers. Tiles of x and dy,
// 16 rows deep, go through workgroup memory, read in fours where rows are a multiple of four long.
// Deterministic: one owner per value, ascending rows, slices of fixed size.

import package::ops::linear::parts::{x_entry, x_in_fours};
import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::tiles::{add_tiles, left_tile, right_tile};

struct Params {
  n: u32,
  m: u32,
  k: u32,
  // Tiles of 64 along k + 1 and m.
  tiles_k: u32,
  tiles_m: u32,
  slices: u32,
  // Rows per slice.
  depth: u32,
  // Widths of the parts, 0 for those that are not there.
  widths: vec4<u32>,
}

override dy_in_fours: u32 = 0u;

@group(0) @binding(3) var<storage, read> dy: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> dw: array<f32>;
@group(0) @binding(5) var<storage, read_write> db: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// Four neighbours of a row of [x0 : x1 : x2 : 1], 0 outside.
fn x_four(row: u32, end: u32, l: u32) -> vec4<f32> {
  var four = vec4<f32>();
  if (row >= end || l > params.k) {
    return four;
  }
  if (x_in_fours == 1u && l < params.k) {
    return x_entry(params.widths, row, l);
  }
  for (var lane = 0u; lane < 4u && l + lane <= params.k; lane++) {
    if (l + lane == params.k) {
      four[lane] = 1.0;
    } else {
      four[lane] = x_entry(params.widths, row, l + lane).x;
    }
  }
  return four;
}

fn dy_four(row: u32, end: u32, column: u32) -> vec4<f32> {
  if (row >= end || column >= params.m) {
    return vec4<f32>();
  }
  let at = row * params.m + column;
  if (dy_in_fours == 1u) {
    return dy[at >> 2u];
  }
  return four_from(dy[at >> 2u], dy[(at >> 2u) + 1u], at, params.m - column);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  var tile = group_index(group);
  if (tile >= params.tiles_k * params.tiles_m * params.slices) { return; }
  let first_column = (tile % params.tiles_m) * 64u;
  tile /= params.tiles_m;
  let first_input = (tile % params.tiles_k) * 64u;
  let slice = tile / params.tiles_k;
  let across = local / 16u;
  let along = local % 16u;

  var sums = array<vec4<f32>, 4>();
  let begin = slice * params.depth;
  let end = min(begin + params.depth, params.n);
  for (var row = begin; row < end; row += 16u) {
    left_tile[local] = x_four(row + across, end, first_input + 4u * along);
    right_tile[local] = dy_four(row + across, end, first_column + 4u * along);
    add_tiles(&sums, local);
  }

  for (var r = 0u; r < 4u; r++) {
    let input = first_input + 4u * across + r;
    for (var c = 0u; c < 4u; c++) {
      let column = first_column + 4u * along + c;
      if (column < params.m && input < params.k) {
        dw[(slice * params.k + input) * params.m + column] = sums[r][c];
      }
      if (column < params.m && input == params.k) {
        db[slice * params.m + column] = sums[r][c];
      }
    }
  }
}
