// Products of matrices in tiles of 64 × 64 values, 16 deep, which go through workgroup memory with the long axis
// innermost. A workgroup is 16 × 16, and an invocation computes 4 × 4 values in registers: row r of them is sums[r].

// [depth][row] and [depth][column], 16 × 16 entries of four values.
var<workgroup> left_tile: array<vec4<f32>, 256>;
var<workgroup> right_tile: array<vec4<f32>, 256>;

// sums += rowsᵀ·columns.
fn add_outer(sums: ptr<function, array<vec4<f32>, 4>>, rows: vec4<f32>, columns: vec4<f32>) {
  (*sums)[0] = (*sums)[0] + rows.x * columns;
  (*sums)[1] = (*sums)[1] + rows.y * columns;
  (*sums)[2] = (*sums)[2] + rows.z * columns;
  (*sums)[3] = (*sums)[3] + rows.w * columns;
}

// The product of the tiles, once all of the workgroup have filled them; they may be filled again afterwards.
fn add_tiles(sums: ptr<function, array<vec4<f32>, 4>>, local: u32) {
  workgroupBarrier();
  for (var depth = 0u; depth < 16u; depth++) {
    add_outer(sums, left_tile[16u * depth + local / 16u], right_tile[16u * depth + local % 16u]);
  }
  workgroupBarrier();
}

// Column c of a square of 4 × 4, given as rows: turned in registers, so that every write is a whole vector.
fn column_of(square: array<vec4<f32>, 4>, c: u32) -> vec4<f32> {
  return vec4<f32>(square[0][c], square[1][c], square[2][c], square[3][c]);
}
