// y[k] = x[k]·W[type k].
//
// Rows are taken in the order that groups them by type, 32 at a time, so that nearly every tile has one type and is a
// product of matrices; a tile on the border of two types is gone through once for each. A workgroup of 8 × 8 computes
// 32 rows × 32 columns, an invocation 4 × 4 of them in registers, from tiles 16 deep in workgroup memory.
// Deterministic: one owner per value, ascending depth.

struct Params {
  rows: u32,
  width: u32,
  out_width: u32,
  // Tiles of 32 columns.
  tiles: u32,
}

// Weights are stored [types, out, in] instead of [types, in, out].
override transposed: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read> ids: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> y: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// [depth][row or column]
var<workgroup> x_tile: array<f32, 512>;
var<workgroup> weight_tile: array<f32, 512>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let tile = group.y * groups.x + group.x;
  let first = (tile / params.tiles) * 32u;
  if (first >= params.rows) {
    return;
  }
  let first_column = (tile % params.tiles) * 32u;
  let last = min(first + 32u, params.rows);
  let my_row = 4u * (local / 8u);
  let my_column = 4u * (local % 8u);

  var start = first;
  while (start < last) {
    let t = ids[order[start]];
    let end = min(last, offsets[t + 1u]);
    let matrix = t * params.width * params.out_width;
    var sums = array<vec4<f32>, 4>();
    for (var depth = 0u; depth < params.width; depth += 16u) {
      for (var i = local; i < 512u; i += 64u) {
        // Neighbours read along a row of x.
        let row = i / 16u;
        let d = i % 16u;
        var value = 0.0;
        if (start + row < end && depth + d < params.width) {
          value = x[order[start + row] * params.width + depth + d];
        }
        x_tile[d * 32u + row] = value;
      }
      for (var i = local; i < 512u; i += 64u) {
        // Neighbours read along a stored row of the weight.
        let d = select(i / 32u, i % 16u, transposed == 1u);
        let column = select(i % 32u, i / 16u, transposed == 1u);
        var value = 0.0;
        if (depth + d < params.width && first_column + column < params.out_width) {
          let straight = (depth + d) * params.out_width + first_column + column;
          let turned = (first_column + column) * params.width + depth + d;
          value = weight[matrix + select(straight, turned, transposed == 1u)];
        }
        weight_tile[d * 32u + column] = value;
      }
      workgroupBarrier();
      for (var d = 0u; d < 16u; d++) {
        let at = d * 32u + my_column;
        let columns = vec4<f32>(weight_tile[at], weight_tile[at + 1u], weight_tile[at + 2u], weight_tile[at + 3u]);
        for (var r = 0u; r < 4u; r++) {
          sums[r] = sums[r] + x_tile[d * 32u + my_row + r] * columns;
        }
      }
      workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
      if (start + my_row + r < end) {
        let row = order[start + my_row + r] * params.out_width;
        for (var c = 0u; c < 4u; c++) {
          let column = first_column + my_column + c;
          if (column < params.out_width) {
            y[row + column] = sums[r][c];
          }
        }
      }
    }
    start = end;
  }
}
