// out[r] = Σ tanh(w_k·v[from k] + b) + unattended[r]·tanh(b) over the messages k that row r receives.
//
// A unit is four columns of a row of out (one where heads are not a multiple of four wide). `lanes` invocations share a
// unit: each takes every lanes-th message, then a tree joins them in workgroup memory, as in segment-reduce.
// Deterministic: one owner per value, a fixed tree, no atomics.

struct Params {
  rows: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
  // Units per row.
  units: u32,
  // Only rows of so many messages are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override has_unattended: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> ids: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> unattended: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

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

fn values_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(values[at >> 2u][at & 3u]), values[at >> 2u], in_fours == 1u);
}

fn bias_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(bias[at >> 2u][at & 3u]), bias[at >> 2u], in_fours == 1u);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let shared_units = 256u / lanes;
  let lane = local / shared_units;
  let unit = (group.y * groups.x + group.x) * shared_units + local % shared_units;
  let row = unit / params.units;
  let column = (unit % params.units) * select(1u, 4u, in_fours == 1u);
  let heads = params.width / params.head_width;
  let head = column / params.head_width;

  var start = 0u;
  var end = 0u;
  var mine = false;
  if (row < params.rows) {
    start = offsets[row];
    end = offsets[row + 1u];
    mine = end - start >= params.shortest && end - start <= params.longest;
  }
  var total = vec4<f32>();
  if (mine) {
    let b = bias_at(column % params.head_width);
    for (var j = start + lane; j < end; j += lanes) {
      let k = order[j];
      total += tanh_of(weights[k * heads + head] * values_at(ids[k] * params.width + column) + b);
    }
    if (has_unattended == 1u && lane == 0u) {
      total += unattended[row] * tanh_of(b);
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && mine) {
    let at = row * params.width + column;
    out[at] = total.x;
    if (in_fours == 1u) {
      out[at + 1u] = total.y;
      out[at + 2u] = total.z;
      out[at + 3u] = total.w;
    }
  }
}
