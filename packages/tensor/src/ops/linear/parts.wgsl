// The parts [x0 : x1 : x2] of an input, n rows that lie side by side along k without being joined.

override x_in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> x2: array<vec4<f32>>;

fn entry_in(four: vec4<f32>, at: u32) -> vec4<f32> {
  return select(vec4<f32>(four[at & 3u]), four, x_in_fours == 1u);
}

// The four that hold column l of a row, or that column four times. Parts that are not there have width 0.
fn x_entry(widths: vec4<u32>, row: u32, l: u32) -> vec4<f32> {
  if (l < widths.x) {
    let at = row * widths.x + l;
    return entry_in(x0[at >> 2u], at);
  }
  if (l < widths.x + widths.y) {
    let at = row * widths.y + l - widths.x;
    return entry_in(x1[at >> 2u], at);
  }
  let at = row * widths.z + l - widths.x - widths.y;
  return entry_in(x2[at >> 2u], at);
}
