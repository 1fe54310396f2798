// y = [x0 : x1 : x2]·W + b, for up to three parts x of n rows that lie side by side along k, without joining them; or the
// gates of a GRU cell, y = σ of that, with reset = r ⊙ h, where y = [r : z] and h is the last of the parts. Each row
// has a bias of its own where bias_rows says which.
//
// A workgroup of 16 × 16 computes a tile of 64 × 64 values; an invocation computes 4 × 4 of them in registers. Tiles of
// x and W, 16 deep, go through workgroup memory, both with the long axis innermost, as in matmul. Parts and weights
// whose rows are a multiple of four long are read in fours. Deterministic: one owner per value, ascending k.

import package::ops::linear::parts::{x_entry, x_in_fours};
import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::numbers::is_nan;
import package::wgsl::tiles::{add_tiles, column_of, left_tile, right_tile};

struct Params {
  n: u32,
  m: u32,
  k: u32,
  // Tiles of 64 along n and m.
  tiles_n: u32,
  tiles_m: u32,
  // Widths of the parts, 0 for those that are not there.
  widths: vec4<u32>,
}

override w_in_fours: u32 = 0u;
override as_gates: u32 = 0u;
override by_row: u32 = 0u;

@group(0) @binding(3) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> bias: array<f32>;
@group(0) @binding(5) var<storage, read> bias_rows: array<u32>;
@group(0) @binding(6) var<storage, read_write> y: array<f32>;
@group(0) @binding(7) var<storage, read_write> reset: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

// 1 / (1 + e^−v), with an exponent that is never positive: nothing overflows.
fn sigmoid(v: f32) -> f32 {
  let e = exp(select(-abs(v), -104.0, abs(v) > 104.0));
  let result = select(e, 1.0, v >= 0.0) / (1.0 + e);
  return select(result, v, is_nan(v));
}

// Four neighbours of a row of [x0 : x1 : x2], 0 outside n × k.
fn x_four(row: u32, l: u32) -> vec4<f32> {
  if (row >= params.n || l >= params.k) {
    return vec4<f32>();
  }
  if (x_in_fours == 1u) {
    return x_entry(params.widths, row, l);
  }
  var four = vec4<f32>();
  for (var lane = 0u; lane < 4u && l + lane < params.k; lane++) {
    four[lane] = x_entry(params.widths, row, l + lane).x;
  }
  return four;
}

fn w_four(l: u32, column: u32) -> vec4<f32> {
  if (l >= params.k || column >= params.m) {
    return vec4<f32>();
  }
  let at = l * params.m + column;
  if (w_in_fours == 1u) {
    return weight[at >> 2u];
  }
  return four_from(weight[at >> 2u], weight[(at >> 2u) + 1u], at, params.m - column);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let tile = group_index(group);
  if (tile >= params.tiles_n * params.tiles_m) { return; }
  let first_column = (tile % params.tiles_m) * 64u;
  let first_row = (tile / params.tiles_m) * 64u;
  let my_row = local / 16u;
  let my_column = local % 16u;

  var sums = array<vec4<f32>, 4>();
  for (var l = 0u; l < params.k; l += 16u) {
    if (local < 64u) {
      // Rows run along k: a square of 4 × 4 is turned in registers, so that every write is a whole vector.
      let rows = local / 4u;
      let depth = 4u * (local % 4u);
      var square: array<vec4<f32>, 4>;
      for (var r = 0u; r < 4u; r++) {
        square[r] = x_four(first_row + 4u * rows + r, l + depth);
      }
      for (var c = 0u; c < 4u; c++) {
        left_tile[16u * (depth + c) + rows] = column_of(square, c);
      }
    }
    right_tile[local] = w_four(l + my_row, first_column + 4u * my_column);
    add_tiles(&sums, local);
  }

  for (var r = 0u; r < 4u; r++) {
    let row = first_row + 4u * my_row + r;
    for (var c = 0u; c < 4u; c++) {
      let column = first_column + 4u * my_column + c;
      if (row < params.n && column < params.m) {
        var place = column;
        if (by_row == 1u) {
          place += bias_rows[row] * params.m;
        }
        var value = sums[r][c] + bias[place];
        if (as_gates == 1u) {
          value = sigmoid(value);
          let d = params.m / 2u;
          if (column < d) {
            let l = params.k - d + column;
            let h = x_entry(params.widths, row, l);
            // A whole four begins at a multiple of four, counted from the first column of its part.
            reset[row * d + column] = value * select(h.x, h[column & 3u], x_in_fours == 1u);
          }
        }
        y[row * params.m + column] = value;
      }
    }
  }
}
