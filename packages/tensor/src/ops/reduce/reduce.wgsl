// y[o, s, i] = the sum or maximum of x[o, k, i] over the k of slice s, for x [outer, n, inner] in slices of `depth`.
//
// Where inner is a multiple of four, i counts fours of it, and a value of y is a vector. Where inner is 1 and n is a
// multiple of four, k counts fours, and the four values of the result are joined at the end.
// `lanes` invocations share a value of y: each takes every lanes-th k, then a tree joins them in workgroup memory.
// Where inner is 1 the lanes are neighbours and read neighbours, else the values of y are. Long axes take several
// rounds, each reducing the last one's slices. Deterministic: one owner per value, a fixed tree, no atomics.

import package::wgsl::combine::{combine_max, combine_sum};
import package::wgsl::dtypes::dtype_float32;
import package::wgsl::grid::{Group, group_index};
import package::wgsl::numbers::larger_fours;

struct Params {
  // Values of y: outer · slices · inner.
  count: u32,
  n: u32,
  inner: u32,
  slices: u32,
  depth: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override combine: u32 = combine_sum;
override dtype: u32 = dtype_float32;
// 1: lanes of one value are neighbours; 0: values are.
override lanes_first: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
// Not in fours: where inner is no multiple of four, neighbours have owners of their own.
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> partial: array<vec4<u32>, 256>;

fn join(p: vec4<u32>, q: vec4<u32>) -> vec4<u32> {
  if (dtype != dtype_float32) {
    let a = bitcast<vec4<i32>>(p);
    let b = bitcast<vec4<i32>>(q);
    return bitcast<vec4<u32>>(select(max(a, b), a + b, combine == combine_sum));
  }
  let a = bitcast<vec4<f32>>(p);
  let b = bitcast<vec4<f32>>(q);
  if (combine == combine_sum) {
    return bitcast<vec4<u32>>(a + b);
  }
  return bitcast<vec4<u32>>(larger_fours(a, b));
}

fn load(at: u32) -> vec4<u32> {
  if (in_fours == 1u) {
    return x[at];
  }
  return vec4<u32>(x[at >> 2u][at & 3u]);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let values = 256u / lanes;
  let value = select(local % values, local / lanes, lanes_first == 1u);
  let lane = select(local / values, local % lanes, lanes_first == 1u);
  let partner = select(values, 1u, lanes_first == 1u);
  let index = group_index(group) * values + value;

  // What is neutral: 0, −∞, the smallest int32.
  var total = vec4<u32>(select(0u, select(0xff800000u, 0x80000000u, dtype != dtype_float32), combine == combine_max));
  if (index < params.count) {
    let i = index % params.inner;
    let s = (index / params.inner) % params.slices;
    let o = index / (params.inner * params.slices);
    let end = min((s + 1u) * params.depth, params.n);
    for (var k = s * params.depth + lane; k < end; k += lanes) {
      total = join(total, load((o * params.n + k) * params.inner + i));
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = join(partial[local], partial[local + half * partner]);
      }
    }
    total = partial[local];
  }
  if (lane != 0u || index >= params.count) { return; }
  if (in_fours == 0u) {
    y[index] = total.x;
  } else if (lanes_first == 1u) {
    let halves = join(total, total.zwxy);
    y[index] = join(halves, halves.yxwz).x;
  } else {
    y[4u * index] = total.x;
    y[4u * index + 1u] = total.y;
    y[4u * index + 2u] = total.z;
    y[4u * index + 3u] = total.w;
  }
}
