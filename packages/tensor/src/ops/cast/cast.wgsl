// y = x in another dtype: floats lose their fraction and stop at the ends of int32, NaN becomes 0; masks are 0 and 1.
// One invocation converts four neighbouring values. Deterministic: every value has one owner.

import package::wgsl::dtypes::{dtype_float32, dtype_int32};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::numbers::is_nan;

struct Params {
  // Groups of four values.
  count: u32,
}

override x_dtype: u32 = dtype_float32;
override y_dtype: u32 = dtype_int32;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

fn truncated(v: f32) -> i32 {
  if (is_nan(v)) {
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
  if (y_dtype == dtype_float32) {
    return bitcast<u32>(f32(bitcast<i32>(v)));
  }
  if (y_dtype == dtype_int32) {
    return select(v, bitcast<u32>(truncated(bitcast<f32>(v))), x_dtype == dtype_float32);
  }
  // Both float zeros are false, and nothing else.
  return u32((v & select(0xffffffffu, 0x7fffffffu, x_dtype == dtype_float32)) != 0u);
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let v = x[i];
  y[i] = vec4<u32>(convert(v.x), convert(v.y), convert(v.z), convert(v.w));
}
