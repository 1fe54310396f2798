// y = x in another dtype: floats lose their fraction and stop at the ends of int32, NaN becomes 0; masks are 0 and 1.
// One invocation converts four neighbouring values. Deterministic: every value has one owner.

struct Params {
  // Groups of four values.
  count: u32,
}

// 0: float32, 1: int32, 2: bool.
override source: u32 = 0u;
override result: u32 = 1u;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

fn truncated(v: f32) -> i32 {
  // By its bits: compilers may assume that v != v never holds.
  if ((bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u) {
    return 0;
  }
  if (v >= 2147483648.0) {
    return 0x7fffffff;
  }
  if (v <= -2147483648.0) {
    return bitcast<i32>(0x80000000u);
  }
  return i32(v);
}

fn convert(v: u32) -> u32 {
  if (result == 0u) {
    return bitcast<u32>(f32(bitcast<i32>(v)));
  }
  if (result == 1u) {
    return select(v, bitcast<u32>(truncated(bitcast<f32>(v))), source == 0u);
  }
  // Both float zeros are false, and nothing else.
  return u32((v & select(0xffffffffu, 0x7fffffffu, source == 0u)) != 0u);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + local;
  if (i >= params.count) {
    return;
  }
  let v = x[i];
  y[i] = vec4<u32>(convert(v.x), convert(v.y), convert(v.z), convert(v.w));
}
