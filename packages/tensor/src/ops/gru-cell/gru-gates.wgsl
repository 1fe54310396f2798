// gates = [r : z] = σ(pre),   reset = r ⊙ h, for pre [n, 2d], h [n, d].
// A unit is four columns of a row of h, or one where d is no multiple of four; one invocation computes what belongs to
// it, and reads it as vectors. Deterministic: every value has one owner.

struct Params {
  // n·d, or a quarter of it.
  units: u32,
  d: u32,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> pre: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> h: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> gates: array<f32>;
@group(0) @binding(3) var<storage, read_write> reset: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

// What a unit reads of each: the four values from i on, or the one at i.
fn pre_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(pre[i >> 2u][i & 3u]), pre[i >> 2u], in_fours == 1u);
}

fn h_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(h[i >> 2u][i & 3u]), h[i >> 2u], in_fours == 1u);
}

fn put_gates(i: u32, value: vec4<f32>) {
  gates[i] = value.x;
  if (in_fours == 1u) {
    gates[i + 1u] = value.y;
    gates[i + 2u] = value.z;
    gates[i + 3u] = value.w;
  }
}

fn put_reset(i: u32, value: vec4<f32>) {
  reset[i] = value.x;
  if (in_fours == 1u) {
    reset[i + 1u] = value.y;
    reset[i + 2u] = value.z;
    reset[i + 3u] = value.w;
  }
}

// 1 / (1 + e^−v), with an exponent that is never positive: nothing overflows.
fn sigmoid(v: vec4<f32>) -> vec4<f32> {
  let size = abs(v);
  let e = exp(select(-size, vec4<f32>(-104.0), size > vec4<f32>(104.0)));
  let result = select(e, vec4<f32>(1.0), v >= vec4<f32>(0.0)) / (1.0 + e);
  return select(result, v, (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u));
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let unit = (group.y * groups.x + group.x) * 64u + local;
  if (unit >= params.units) {
    return;
  }
  let i = unit * select(1u, 4u, in_fours == 1u);
  let at_r = (i / params.d) * 2u * params.d + i % params.d;
  let at_z = at_r + params.d;
  let r = sigmoid(pre_at(at_r));
  put_gates(at_r, r);
  put_gates(at_z, sigmoid(pre_at(at_z)));
  put_reset(i, r * h_at(i));
}
