// out[s, t] = Σ a[k]ᵀ·b[k] over the entries k in slice s of type t.
//
// Types are few and have many entries, so each type's entries are cut into slices of `depth`, and a later sum adds the
// slices in order. A workgroup of 8 × 8 computes 32 × 32 values of one slice of one type, an invocation 4 × 4 of them
// in registers, from 16 entries at a time in workgroup memory.
// Deterministic: one owner per value, ascending k, slices of fixed size, no atomics.

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

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

// [entry][column]
var<workgroup> a_tile: array<f32, 512>;
var<workgroup> b_tile: array<f32, 512>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  var tile = group.y * groups.x + group.x;
  if (tile >= params.tiles_n * params.tiles_m * params.types * params.slices) {
    return;
  }
  let first_column = (tile % params.tiles_m) * 32u;
  tile /= params.tiles_m;
  let first_row = (tile % params.tiles_n) * 32u;
  tile /= params.tiles_n;
  let t = tile % params.types;
  let slice = tile / params.types;
  let my_row = 4u * (local / 8u);
  let my_column = 4u * (local % 8u);

  let start = offsets[t] + slice * params.depth;
  let end = min(start + params.depth, offsets[t + 1u]);
  var sums = array<vec4<f32>, 4>();
  for (var k = start; k < end; k += 16u) {
    for (var i = local; i < 512u; i += 64u) {
      // Neighbours read along a row.
      let column = i % 32u;
      var left = 0.0;
      var right = 0.0;
      if (k + i / 32u < end) {
        let row = order[k + i / 32u];
        if (first_row + column < params.n) {
          left = a[row * params.n + first_row + column];
        }
        if (first_column + column < params.m) {
          right = b[row * params.m + first_column + column];
        }
      }
      a_tile[i] = left;
      b_tile[i] = right;
    }
    workgroupBarrier();
    for (var entry = 0u; entry < 16u; entry++) {
      let at = entry * 32u + my_column;
      let columns = vec4<f32>(b_tile[at], b_tile[at + 1u], b_tile[at + 2u], b_tile[at + 3u]);
      for (var r = 0u; r < 4u; r++) {
        sums[r] = sums[r] + a_tile[entry * 32u + my_row + r] * columns;
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4u; r++) {
    for (var c = 0u; c < 4u; c++) {
      let row = first_row + my_row + r;
      let column = first_column + my_column + c;
      if (row < params.n && column < params.m) {
        out[((slice * params.types + t) * params.n + row) * params.m + column] = sums[r][c];
      }
    }
  }
}
