// [dx0 : dx1 : dx2] = dy·Wᵀ (+ what they hold), for dy [n, m] and W [k, m]: each part is a matrix of its own.
//
// A workgroup of 16 × 16 computes a tile of 64 × 64 values; an invocation computes 4 × 4 of them in registers. Tiles of
// dy and W, 16 deep along m, go through workgroup memory, both with the long axis innermost, as in matmul. Rows that
// are a multiple of four long are read in fours. Deterministic: one owner per value, ascending m.

import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::tiles::{add_tiles, column_of, left_tile, right_tile};

struct Params {
  n: u32,
  m: u32,
  k: u32,
  // Tiles of 64 along n and k.
  tiles_n: u32,
  tiles_k: u32,
  // 1: the result is added to what the parts hold.
  adds: u32,
  // Widths of the parts, 0 for those that are not there.
  widths: vec4<u32>,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> dy: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> dx0: array<f32>;
@group(0) @binding(3) var<storage, read_write> dx1: array<f32>;
@group(0) @binding(4) var<storage, read_write> dx2: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

// Four neighbours of a row of dy, 0 outside.
fn dy_four(row: u32, column: u32) -> vec4<f32> {
  if (row >= params.n || column >= params.m) {
    return vec4<f32>();
  }
  let at = row * params.m + column;
  if (in_fours == 1u) {
    return dy[at >> 2u];
  }
  return four_from(dy[at >> 2u], dy[(at >> 2u) + 1u], at, params.m - column);
}

// Four neighbours of a row of W, 0 outside.
fn w_four(row: u32, column: u32) -> vec4<f32> {
  if (row >= params.k || column >= params.m) {
    return vec4<f32>();
  }
  let at = row * params.m + column;
  if (in_fours == 1u) {
    return weight[at >> 2u];
  }
  return four_from(weight[at >> 2u], weight[(at >> 2u) + 1u], at, params.m - column);
}

fn put(row: u32, column: u32, value: f32) {
  let widths = params.widths;
  if (column < widths.x) {
    let at = row * widths.x + column;
    dx0[at] = select(value, dx0[at] + value, params.adds == 1u);
  } else if (column < widths.x + widths.y) {
    let at = row * widths.y + column - widths.x;
    dx1[at] = select(value, dx1[at] + value, params.adds == 1u);
  } else {
    let at = row * widths.z + column - widths.x - widths.y;
    dx2[at] = select(value, dx2[at] + value, params.adds == 1u);
  }
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let tile = group_index(group);
  if (tile >= params.tiles_n * params.tiles_k) { return; }
  let first_column = (tile % params.tiles_k) * 64u;
  let first_row = (tile / params.tiles_k) * 64u;
  let my_row = local / 16u;
  let my_column = local % 16u;

  var sums = array<vec4<f32>, 4>();
  for (var l = 0u; l < params.m; l += 16u) {
    // Rows run along m: a square of 4 × 4 is turned in registers, so that every write is a whole vector.
    if (local < 128u) {
      let rows = (local % 64u) / 4u;
      let depth = 4u * (local % 4u);
      var square: array<vec4<f32>, 4>;
      for (var r = 0u; r < 4u; r++) {
        if (local < 64u) {
          square[r] = dy_four(first_row + 4u * rows + r, l + depth);
        } else {
          square[r] = w_four(first_column + 4u * rows + r, l + depth);
        }
      }
      for (var c = 0u; c < 4u; c++) {
        let turned = column_of(square, c);
        if (local < 64u) {
          left_tile[16u * (depth + c) + rows] = turned;
        } else {
          right_tile[16u * (depth + c) + rows] = turned;
        }
      }
    }
    add_tiles(&sums, local);
  }

  for (var r = 0u; r < 4u; r++) {
    let row = first_row + 4u * my_row + r;
    for (var c = 0u; c < 4u; c++) {
      let column = first_column + 4u * my_column + c;
      if (row < params.n && column < params.k) {
        put(row, column, sums[r][c]);
      }
    }
  }
}
