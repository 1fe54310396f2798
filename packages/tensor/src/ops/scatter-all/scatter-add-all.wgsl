// out[r] = base[r] + Σ x0[k] + Σ x1[k] over the entries k of row r in either order, column by column.
// One invocation computes four columns of a row, read as vectors where rows are a multiple of four wide, else one.
// Deterministic: one owner per value, entries in order.

import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::units::{in_fours, unit_width};

struct Params {
  rows: u32,
  width: u32,
  // Invocations per row.
  units: u32,
  // 1 or 2.
  terms: u32,
}

override has_base: u32 = 0u;

@group(0) @binding(0) var<storage, read> x0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets0: array<u32>;
@group(0) @binding(2) var<storage, read> order0: array<u32>;
@group(0) @binding(3) var<storage, read> x1: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> offsets1: array<u32>;
@group(0) @binding(5) var<storage, read> order1: array<u32>;
@group(0) @binding(6) var<storage, read> base: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let unit = index_of_64(group, local);
  let row = unit / params.units;
  if (row >= params.rows) { return; }
  let column = (unit % params.units) * unit_width();
  let to = row * params.width + column;
  var total = vec4<f32>();
  if (has_base == 1u) {
    total = select(vec4<f32>(base[to >> 2u][to & 3u]), base[to >> 2u], in_fours == 1u);
  }
  for (var k = offsets0[row]; k < offsets0[row + 1u]; k++) {
    let at = order0[k] * params.width + column;
    total += select(vec4<f32>(x0[at >> 2u][at & 3u]), x0[at >> 2u], in_fours == 1u);
  }
  if (params.terms == 2u) {
    for (var k = offsets1[row]; k < offsets1[row + 1u]; k++) {
      let at = order1[k] * params.width + column;
      total += select(vec4<f32>(x1[at >> 2u][at & 3u]), x1[at >> 2u], in_fours == 1u);
    }
  }
  for (var c = 0u; c < unit_width(); c++) {
    out[to + c] = total[c];
  }
}
