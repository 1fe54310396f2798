// The first `count` of four neighbouring values from `at` on, the others 0: `near` is the four in which `at` lies, `next`
// the four behind it.
fn four_from(near: vec4<f32>, next: vec4<f32>, at: u32, count: u32) -> vec4<f32> {
  var four = vec4<f32>();
  for (var lane = 0u; lane < 4u && lane < count; lane++) {
    let place = (at & 3u) + lane;
    four[lane] = select(near[place & 3u], next[place & 3u], place > 3u);
  }
  return four;
}
