// slopes_k = dout[into k] ⊙ (1 − tanh²(w_k·v[from k] + b)),   dweights_k = slopes_k · v[from k], for each head.
//
// A unit is one head of a message. `lanes` invocations share it: each takes every lanes-th four of its columns (every
// lanes-th column where heads are not a multiple of four wide), then a tree joins their parts of the product.
// Deterministic: one owner per value, a fixed tree, no atomics.

struct Params {
  // Messages times heads.
  units: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
}

// A power of two up to 64.
override lanes: u32 = 1u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> dout: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> from_ids: array<u32>;
@group(0) @binding(5) var<storage, read> into_ids: array<u32>;
@group(0) @binding(6) var<storage, read_write> slopes: array<f32>;
@group(0) @binding(7) var<storage, read_write> dweights: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

var<workgroup> partial: array<f32, 64>;

// Near 0 an odd polynomial, else (1 − e^−2|v|) / (1 + e^−2|v|): WGSL's own tanh may be off by 1e-5, or NaN far out.
fn tanh_of(v: vec4<f32>) -> vec4<f32> {
  let size = abs(v);
  let z = v * v;
  var p = vec4<f32>(-5.70498872745e-3);
  p = fma(p, z, vec4<f32>(2.06390887954e-2));
  p = fma(p, z, vec4<f32>(-5.37397155531e-2));
  p = fma(p, z, vec4<f32>(1.33314422036e-1));
  p = fma(p, z, vec4<f32>(-3.33332819422e-1));
  let near = fma(p * z, v, v);
  let e = exp(select(-2.0 * size, vec4<f32>(-40.0), size > vec4<f32>(20.0)));
  let far = sign(v) * (1.0 - e) / (1.0 + e);
  let result = select(far, near, size < vec4<f32>(0.625));
  return select(result, v, (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u));
}

fn dout_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(dout[at >> 2u][at & 3u], 0.0, 0.0, 0.0), dout[at >> 2u], in_fours == 1u);
}

fn values_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(values[at >> 2u][at & 3u], 0.0, 0.0, 0.0), values[at >> 2u], in_fours == 1u);
}

fn bias_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(bias[at >> 2u][at & 3u], 0.0, 0.0, 0.0), bias[at >> 2u], in_fours == 1u);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let lane = local % lanes;
  let unit = (group.y * groups.x + group.x) * (64u / lanes) + local / lanes;
  var total = 0.0;
  if (unit < params.units) {
    let heads = params.width / params.head_width;
    let k = unit / heads;
    let first = (unit % heads) * params.head_width;
    let at_values = from_ids[k] * params.width + first;
    let at_dout = into_ids[k] * params.width + first;
    let at_slopes = k * params.width + first;
    let weight = weights[unit];
    let step = select(1u, 4u, in_fours == 1u);
    for (var c = step * lane; c < params.head_width; c += step * lanes) {
      let value = values_at(at_values + c);
      let acted = tanh_of(weight * value + bias_at(c));
      let slope = dout_at(at_dout + c) * (1.0 - acted * acted);
      slopes[at_slopes + c] = slope.x;
      if (in_fours == 1u) {
        slopes[at_slopes + c + 1u] = slope.y;
        slopes[at_slopes + c + 2u] = slope.z;
        slopes[at_slopes + c + 3u] = slope.w;
      }
      total += dot(slope, value);
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && unit < params.units) {
    dweights[unit] = total;
  }
}
