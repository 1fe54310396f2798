// out[b, i, j] = x[b, j, i]: permute where the last two axes change places. Values travel as bits, so every dtype is
// alike.
//
// A workgroup turns a tile of 32 × 32 values in workgroup memory, an invocation moves four of them: neighbours read
// neighbours of a row of x, and write neighbours of a row of out. Not in fours: rows may be of any length, and 32
// neighbours fill a line of memory as they are. Deterministic: every value has one owner.

import package::wgsl::grid::{Group, group_index};

struct Params {
  // Of out.
  rows: u32,
  columns: u32,
  batch: u32,
  // Tiles of 32 along rows and columns.
  tiles_rows: u32,
  tiles_columns: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

// Rows of 33: the values of a column then lie in different banks.
var<workgroup> tile: array<u32, 1056>;

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  var rest = group_index(group);
  if (rest >= params.batch * params.tiles_rows * params.tiles_columns) { return; }
  let first_column = 32u * (rest % params.tiles_columns);
  rest /= params.tiles_columns;
  let first_row = 32u * (rest % params.tiles_rows);
  let matrix = (rest / params.tiles_rows) * params.rows * params.columns;

  let along = local % 32u;
  for (var across = local / 32u; across < 32u; across += 8u) {
    let row = first_row + along;
    let column = first_column + across;
    if (row < params.rows && column < params.columns) {
      tile[33u * across + along] = x[matrix + column * params.rows + row];
    }
  }
  workgroupBarrier();
  for (var across = local / 32u; across < 32u; across += 8u) {
    let row = first_row + across;
    let column = first_column + along;
    if (row < params.rows && column < params.columns) {
      out[matrix + row * params.columns + column] = tile[33u * along + across];
    }
  }
}
