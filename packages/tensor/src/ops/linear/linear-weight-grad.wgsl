// dW[s] = [x0 : x1 : x2]ᵀ·dy and db[s] = Σ dy, over the rows of slice s.
//
// The bias belongs to a last input that is 1 everywhere, so it is one more row of the product. A workgroup of 16 × 16
// computes a tile of 64 × 64 values of one slice; an invocation computes 4 × 4 of them in registers. Tiles of x and dy,
// 16 rows deep, go through workgroup memory, read in fours where rows are a multiple of four long.
// Deterministic: one owner per value, ascending rows, slices of fixed size.

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

override x_in_fours: u32 = 0u;
override dy_in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x2: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> dy: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> dw: array<f32>;
@group(0) @binding(5) var<storage, read_write> db: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// [row][column] of the tiles, 16 × 16 entries of four values.
var<workgroup> x_tile: array<vec4<f32>, 256>;
var<workgroup> dy_tile: array<vec4<f32>, 256>;

// The four that hold column l of a row of [x0 : x1 : x2], or that column four times.
fn x_entry(row: u32, l: u32) -> vec4<f32> {
  let widths = params.widths;
  if (l < widths.x) {
    let at = row * widths.x + l;
    return select(vec4<f32>(x0[at >> 2u][at & 3u]), x0[at >> 2u], x_in_fours == 1u);
  }
  if (l < widths.x + widths.y) {
    let at = row * widths.y + l - widths.x;
    return select(vec4<f32>(x1[at >> 2u][at & 3u]), x1[at >> 2u], x_in_fours == 1u);
  }
  let at = row * widths.z + l - widths.x - widths.y;
  return select(vec4<f32>(x2[at >> 2u][at & 3u]), x2[at >> 2u], x_in_fours == 1u);
}

// Four neighbours of a row of [x0 : x1 : x2 : 1], 0 outside.
fn x_four(row: u32, end: u32, l: u32) -> vec4<f32> {
  var four = vec4<f32>();
  if (row >= end || l > params.k) {
    return four;
  }
  if (x_in_fours == 1u && l < params.k) {
    return x_entry(row, l);
  }
  for (var lane = 0u; lane < 4u && l + lane <= params.k; lane++) {
    if (l + lane == params.k) {
      four[lane] = 1.0;
    } else {
      four[lane] = x_entry(row, l + lane).x;
    }
  }
  return four;
}

fn dy_four(row: u32, end: u32, column: u32) -> vec4<f32> {
  var four = vec4<f32>();
  if (row >= end || column >= params.m) {
    return four;
  }
  let first = row * params.m + column;
  if (dy_in_fours == 1u) {
    return dy[first >> 2u];
  }
  for (var lane = 0u; lane < 4u && column + lane < params.m; lane++) {
    let at = first + lane;
    four[lane] = dy[at >> 2u][at & 3u];
  }
  return four;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  var tile = group.y * groups.x + group.x;
  if (tile >= params.tiles_k * params.tiles_m * params.slices) {
    return;
  }
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
    x_tile[local] = x_four(row + across, end, first_input + 4u * along);
    dy_tile[local] = dy_four(row + across, end, first_column + 4u * along);
    workgroupBarrier();
    for (var depth = 0u; depth < 16u; depth++) {
      let inputs = x_tile[16u * depth + across];
      let columns = dy_tile[16u * depth + along];
      sums[0] = sums[0] + inputs.x * columns;
      sums[1] = sums[1] + inputs.y * columns;
      sums[2] = sums[2] + inputs.z * columns;
      sums[3] = sums[3] + inputs.w * columns;
    }
    workgroupBarrier();
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
