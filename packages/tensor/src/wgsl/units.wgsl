// A unit is four neighbouring columns of a row, or one column where rows are not a multiple of four wide.

override in_fours: u32 = 0u;

// Columns of a unit.
fn unit_width() -> u32 {
  return select(1u, 4u, in_fours == 1u);
}

// The values of the unit that begins at `at`, given the four values in which `at` lies; one value is followed by zeros.
fn unit_in(four: vec4<f32>, at: u32) -> vec4<f32> {
  return select(vec4<f32>(four[at & 3u], 0.0, 0.0, 0.0), four, in_fours == 1u);
}
