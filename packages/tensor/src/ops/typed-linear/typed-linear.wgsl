// y[k] = x[k]·W[type k].
//
// Rows are taken in the order that groups them by type, 32 at a time, so that nearly every tile has one type and is a
// product of matrices; a tile on the border of two types is gone through once for each. A workgroup of 8 × 8 computes
// 32 rows × 32 columns, an invocation 4 × 4 of them in registers. Tiles 16 deep go through workgroup memory with the
// long axis innermost, so that an invocation reads its rows and its columns as one vector each; half of the
// invocations fetch x, the others the weight. Operands whose rows are a multiple of four are read in fours.
// Deterministic: one owner per value, ascending depth.

import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::tiles::{add_outer, column_of};

struct Params {
  rows: u32,
  width: u32,
  out_width: u32,
  // Tiles of 32 columns.
  tiles: u32,
}

// Weights are stored [types, out, in] instead of [types, in, out].
override transposed: u32 = 0u;

// Whether the stored rows of x and of the weight are a multiple of four long.
override x_in_fours: u32 = 0u;
override weight_in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> ids: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// [depth][row] and [depth][column], 16 × 8 entries of four values.
var<workgroup> x_tile: array<vec4<f32>, 128>;
var<workgroup> weight_tile: array<vec4<f32>, 128>;

// Four neighbours of a row of x, 0 past its end.
fn x_four(row: u32, column: u32) -> vec4<f32> {
  if (column >= params.width) {
    return vec4<f32>();
  }
  let at = row * params.width + column;
  if (x_in_fours == 1u) {
    return x[at >> 2u];
  }
  return four_from(x[at >> 2u], x[(at >> 2u) + 1u], at, params.width - column);
}

// Four neighbours of a stored row of the weight at `matrix`, 0 outside rows × columns.
fn weight_four(matrix: u32, row: u32, column: u32, rows: u32, columns: u32) -> vec4<f32> {
  if (row >= rows || column >= columns) {
    return vec4<f32>();
  }
  let at = matrix + row * columns + column;
  if (weight_in_fours == 1u) {
    return weight[at >> 2u];
  }
  return four_from(weight[at >> 2u], weight[(at >> 2u) + 1u], at, columns - column);
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let tile = group_index(group);
  let first = (tile / params.tiles) * 32u;
  if (first >= params.rows) { return; }
  let first_column = (tile % params.tiles) * 32u;
  let last = min(first + 32u, params.rows);
  let my_rows = local / 8u;
  let my_columns = local % 8u;
  // The invocation's place among the 32 that fetch the same operand.
  let fetched = local % 32u;

  var start = first;
  while (start < last) {
    let t = ids[order[start]];
    let end = min(last, offsets[t + 1u]);
    let matrix = t * params.width * params.out_width;
    var sums = array<vec4<f32>, 4>();
    for (var depth = 0u; depth < params.width; depth += 16u) {
      if (local < 32u) {
        // Rows run along the depth: a square of 4 × 4 is turned in registers, so that every write is a whole vector.
        var square: array<vec4<f32>, 4>;
        for (var r = 0u; r < 4u; r++) {
          let row = start + 4u * (fetched / 4u) + r;
          if (row < end) {
            square[r] = x_four(order[row], depth + 4u * (fetched % 4u));
          }
        }
        for (var c = 0u; c < 4u; c++) {
          let turned = column_of(square, c);
          x_tile[8u * (4u * (fetched % 4u) + c) + fetched / 4u] = turned;
        }
      } else if (transposed == 1u) {
        var square: array<vec4<f32>, 4>;
        for (var r = 0u; r < 4u; r++) {
          let column = first_column + 4u * (fetched / 4u) + r;
          square[r] = weight_four(matrix, column, depth + 4u * (fetched % 4u), params.out_width, params.width);
        }
        for (var c = 0u; c < 4u; c++) {
          let turned = column_of(square, c);
          weight_tile[8u * (4u * (fetched % 4u) + c) + fetched / 4u] = turned;
        }
      } else {
        for (var i = fetched; i < 128u; i += 32u) {
          let column = first_column + 4u * (i % 8u);
          weight_tile[i] = weight_four(matrix, depth + i / 8u, column, params.width, params.out_width);
        }
      }
      workgroupBarrier();
      for (var d = 0u; d < 16u; d++) {
        add_outer(&sums, x_tile[8u * d + my_rows], weight_tile[8u * d + my_columns]);
      }
      workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
      let k = start + 4u * my_rows + r;
      if (k < end) {
        let row = order[k] * params.out_width;
        for (var c = 0u; c < 4u; c++) {
          let column = first_column + 4u * my_columns + c;
          if (column < params.out_width) {
            y[row + column] = sums[r][c];
          }
        }
      }
    }
    start = end;
  }
}
