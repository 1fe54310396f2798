// out[s, t] = Σ a[k]ᵀ·b[k] over the entries k in slice s of type t.
//
// Types are few and have many entries, so each type's entries are cut into slices of `depth`, and a later sum adds the
// slices in order. A workgroup of 8 × 8 computes 32 × 32 values of one slice of one type, an invocation 4 × 4 of them
// in registers, from 16 entries at a time in workgroup memory. Operands whose rows are a multiple of four are read in
// fours.
// Deterministic: one owner per value, ascending k, slices of fixed size, no atomics.

import package::wgsl::fours::four_from;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::tiles::add_outer;

struct Params {
  types: u32,
  // Widths of a and b.
  n: u32,
  m: u32,
  tiles_n: u32,
  tiles_m: u32,
  slices: u32,
  depth: u32,
}

override a_in_fours: u32 = 0u;
override b_in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

// [entry][column], 16 × 8 entries of four values.
var<workgroup> a_tile: array<vec4<f32>, 128>;
var<workgroup> b_tile: array<vec4<f32>, 128>;

// Four neighbours of a row, 0 past its end.
fn a_four(row: u32, column: u32) -> vec4<f32> {
  if (column >= params.n) {
    return vec4<f32>();
  }
  let at = row * params.n + column;
  if (a_in_fours == 1u) {
    return a[at >> 2u];
  }
  return four_from(a[at >> 2u], a[(at >> 2u) + 1u], at, params.n - column);
}

fn b_four(row: u32, column: u32) -> vec4<f32> {
  if (column >= params.m) {
    return vec4<f32>();
  }
  let at = row * params.m + column;
  if (b_in_fours == 1u) {
    return b[at >> 2u];
  }
  return four_from(b[at >> 2u], b[(at >> 2u) + 1u], at, params.m - column);
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  var tile = group_index(group);
  if (tile >= params.tiles_n * params.tiles_m * params.types * params.slices) { return; }
  let first_column = (tile % params.tiles_m) * 32u;
  tile /= params.tiles_m;
  let first_row = (tile % params.tiles_n) * 32u;
  tile /= params.tiles_n;
  let t = tile % params.types;
  let slice = tile / params.types;
  let my_rows = local / 8u;
  let my_columns = local % 8u;

  let start = offsets[t] + slice * params.depth;
  let end = min(start + params.depth, offsets[t + 1u]);
  var sums = array<vec4<f32>, 4>();
  for (var k = start; k < end; k += 16u) {
    for (var i = local; i < 128u; i += 64u) {
      // Neighbours read along a row.
      let column = 4u * (i % 8u);
      var left = vec4<f32>();
      var right = vec4<f32>();
      if (k + i / 8u < end) {
        let row = order[k + i / 8u];
        left = a_four(row, first_row + column);
        right = b_four(row, first_column + column);
      }
      a_tile[i] = left;
      b_tile[i] = right;
    }
    workgroupBarrier();
    for (var entry = 0u; entry < 16u; entry++) {
      add_outer(&sums, a_tile[8u * entry + my_rows], b_tile[8u * entry + my_columns]);
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4u; r++) {
    for (var c = 0u; c < 4u; c++) {
      let row = first_row + 4u * my_rows + r;
      let column = first_column + 4u * my_columns + c;
      if (row < params.n && column < params.m) {
        out[((slice * params.types + t) * params.n + row) * params.m + column] = sums[r][c];
      }
    }
  }
}
