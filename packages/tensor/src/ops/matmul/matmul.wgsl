// y[.., i, j] = Σ_l A[.., i, l]·B[.., l, j], either side stored transposed, batched, odd sizes.
//
// A workgroup of 16 × 16 computes a tile of 64 × 64 values; an invocation computes 4 × 4 of them in registers. Tiles of
// A and B, 16 deep, go through workgroup memory, both with the long axis innermost, so that an invocation reads its
// four rows and its four columns as one vector each. Operands whose rows are a multiple of four are read in fours.
//
// A long sum over few tiles is split: part s of `splits` takes its own range of l and writes its own copy of y, and a
// later sum adds the copies in order. Deterministic: one owner per value, ascending l.

import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::tiles::{add_tiles, column_of, left_tile, right_tile};

struct Params {
  n: u32,
  m: u32,
  k: u32,
  // Tiles of 64 along n and m.
  tiles_n: u32,
  tiles_m: u32,
  // Matrices in the batch, and how they share operands: axes of the batch, outermost first, strides in matrices.
  batch: u32,
  batch_rank: u32,
  splits: u32,
  // Values of l per split, a multiple of 16.
  split_depth: u32,
  batch_extents: array<vec4<u32>, 2>,
  a_strides: array<vec4<u32>, 2>,
  b_strides: array<vec4<u32>, 2>,
}

override transpose_a: u32 = 0u;
override transpose_b: u32 = 0u;
// Whether the stored rows of A and B are a multiple of four long.
override a_in_fours: u32 = 0u;
override b_in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

// Four neighbours of a stored row, 0 outside rows × columns.
fn a_four(base: u32, row: u32, column: u32, rows: u32, columns: u32) -> vec4<f32> {
  if (row >= rows || column >= columns) {
    return vec4<f32>();
  }
  let at = base + row * columns + column;
  if (a_in_fours == 1u) {
    return a[at >> 2u];
  }
  return four_from(a[at >> 2u], a[(at >> 2u) + 1u], at, columns - column);
}

fn b_four(base: u32, row: u32, column: u32, rows: u32, columns: u32) -> vec4<f32> {
  if (row >= rows || column >= columns) {
    return vec4<f32>();
  }
  let at = base + row * columns + column;
  if (b_in_fours == 1u) {
    return b[at >> 2u];
  }
  return four_from(b[at >> 2u], b[(at >> 2u) + 1u], at, columns - column);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  var tile = group_index(group);
  if (tile >= params.tiles_n * params.tiles_m * params.batch * params.splits) { return; }
  let first_column = (tile % params.tiles_m) * 64u;
  tile /= params.tiles_m;
  let first_row = (tile % params.tiles_n) * 64u;
  tile /= params.tiles_n;
  let matrix = tile % params.batch;
  let part = tile / params.batch;

  var rest = matrix;
  var a_base = 0u;
  var b_base = 0u;
  for (var back = 0u; back < params.batch_rank; back++) {
    let axis = params.batch_rank - 1u - back;
    let extent = params.batch_extents[axis >> 2u][axis & 3u];
    a_base += (rest % extent) * params.a_strides[axis >> 2u][axis & 3u];
    b_base += (rest % extent) * params.b_strides[axis >> 2u][axis & 3u];
    rest /= extent;
  }
  a_base *= params.n * params.k;
  b_base *= params.k * params.m;

  // The invocation's place in the tile of y, and its place among loads of whole rows in fours.
  let my_row = local / 16u;
  let my_column = local % 16u;
  let along = local % 16u;
  let across = local / 16u;

  var sums = array<vec4<f32>, 4>();
  let begin = part * params.split_depth;
  let end = min(begin + params.split_depth, params.k);
  for (var l = begin; l < end; l += 16u) {
    if (transpose_a == 1u) {
      left_tile[16u * across + along] = a_four(a_base, l + across, first_row + 4u * along, end, params.n);
    } else if (local < 64u) {
      // Rows of A run along l: a square of 4 × 4 is turned in registers, so that every write is a whole vector.
      let rows = local / 4u;
      let depth = 4u * (local % 4u);
      let column = l + depth;
      var square: array<vec4<f32>, 4>;
      for (var r = 0u; r < 4u; r++) {
        square[r] = a_four(a_base, first_row + 4u * rows + r, column, params.n, params.k);
      }
      for (var c = 0u; c < 4u; c++) {
        let turned = column_of(square, c);
        left_tile[16u * (depth + c) + rows] = select(vec4<f32>(), turned, column + c < end);
      }
    }
    if (transpose_b == 0u) {
      right_tile[16u * across + along] = b_four(b_base, l + across, first_column + 4u * along, end, params.m);
    } else if (local >= 64u && local < 128u) {
      let place = local - 64u;
      let rows = place / 4u;
      let depth = 4u * (place % 4u);
      let column = l + depth;
      var square: array<vec4<f32>, 4>;
      for (var r = 0u; r < 4u; r++) {
        square[r] = b_four(b_base, first_column + 4u * rows + r, column, params.m, params.k);
      }
      for (var c = 0u; c < 4u; c++) {
        let turned = column_of(square, c);
        right_tile[16u * (depth + c) + rows] = select(vec4<f32>(), turned, column + c < end);
      }
    }
    add_tiles(&sums, local);
  }

  let out = (part * params.batch + matrix) * params.n * params.m;
  for (var r = 0u; r < 4u; r++) {
    let row = first_row + 4u * my_row + r;
    for (var c = 0u; c < 4u; c++) {
      let column = first_column + 4u * my_column + c;
      if (row < params.n && column < params.m) {
        y[out + row * params.m + column] = sums[r][c];
      }
    }
  }
}
