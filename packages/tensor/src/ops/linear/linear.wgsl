// y = [x0 : x1 : x2]·W + b, for up to three parts x of n rows that lie side by side along k, without joining them; or the
// gates of a GRU cell, y = σ of that, with reset = r ⊙ h, where y = [r : z] and h is the last of the parts.
//
// A workgroup of 16 × 16 computes a tile of 64 × 64 values; an invocation computes 4 × 4 of them in registers. Tiles of
// x and W, 16 deep, go through workgroup memory, both with the long axis innermost, as in matmul. Parts and weights
// whose rows are a multiple of four long are read in fours. Deterministic: one owner per value, ascending k.

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

override x_in_fours: u32 = 0u;
override w_in_fours: u32 = 0u;
override as_gates: u32 = 0u;

@group(0) @binding(0) var<storage, read> x0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x2: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> bias: array<f32>;
@group(0) @binding(5) var<storage, read_write> y: array<f32>;
@group(0) @binding(6) var<storage, read_write> reset: array<f32>;
@group(0) @binding(7) var<uniform> params: Params;

// [l][row] and [l][column] of the tiles, 16 × 16 entries of four values.
var<workgroup> x_tile: array<vec4<f32>, 256>;
var<workgroup> w_tile: array<vec4<f32>, 256>;

// 1 / (1 + e^−v), with an exponent that is never positive: nothing overflows.
fn sigmoid(v: f32) -> f32 {
  let e = exp(select(-abs(v), -104.0, abs(v) > 104.0));
  let result = select(e, 1.0, v >= 0.0) / (1.0 + e);
  return select(result, v, (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u);
}

// The four that hold column l of a row of [x0 : x1 : x2], and which of them it is.
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

// Four neighbours of a row of [x0 : x1 : x2], 0 outside n × k.
fn x_four(row: u32, l: u32) -> vec4<f32> {
  var four = vec4<f32>();
  if (row >= params.n || l >= params.k) {
    return four;
  }
  if (x_in_fours == 1u) {
    return x_entry(row, l);
  }
  for (var lane = 0u; lane < 4u && l + lane < params.k; lane++) {
    four[lane] = x_entry(row, l + lane).x;
  }
  return four;
}

fn w_four(l: u32, column: u32) -> vec4<f32> {
  var four = vec4<f32>();
  if (l >= params.k || column >= params.m) {
    return four;
  }
  let first = l * params.m + column;
  if (w_in_fours == 1u) {
    return weight[first >> 2u];
  }
  for (var lane = 0u; lane < 4u && column + lane < params.m; lane++) {
    let at = first + lane;
    four[lane] = weight[at >> 2u][at & 3u];
  }
  return four;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let tile = group.y * groups.x + group.x;
  if (tile >= params.tiles_n * params.tiles_m) {
    return;
  }
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
        x_tile[16u * (depth + c) + rows] = vec4<f32>(square[0][c], square[1][c], square[2][c], square[3][c]);
      }
    }
    w_tile[local] = w_four(l + my_row, first_column + 4u * my_column);
    workgroupBarrier();
    for (var depth = 0u; depth < 16u; depth++) {
      let rows = x_tile[16u * depth + my_row];
      let columns = w_tile[16u * depth + my_column];
      sums[0] = sums[0] + rows.x * columns;
      sums[1] = sums[1] + rows.y * columns;
      sums[2] = sums[2] + rows.z * columns;
      sums[3] = sums[3] + rows.w * columns;
    }
    workgroupBarrier();
  }

  for (var r = 0u; r < 4u; r++) {
    let row = first_row + 4u * my_row + r;
    for (var c = 0u; c < 4u; c++) {
      let column = first_column + 4u * my_column + c;
      if (row < params.n && column < params.m) {
        var value = sums[r][c] + bias[column];
        if (as_gates == 1u) {
          value = sigmoid(value);
          let d = params.m / 2u;
          if (column < d) {
            let l = params.k - d + column;
            let h = x_entry(row, l);
            // A whole four begins at a multiple of four, counted from the first column of its part.
            reset[row * d + column] = value * select(h.x, h[column & 3u], x_in_fours == 1u);
          }
        }
        y[row * params.m + column] = value;
      }
    }
  }
}
