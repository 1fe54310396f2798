// c = tanh(pre),   h' = z ⊙ h + (1 − z) ⊙ c, with gates = [r : z].
// A unit is four columns of a row of h, or one where d is no multiple of four; one invocation computes what belongs to
// it, and reads it as vectors. Deterministic: every value has one owner.

struct Params {
  // n·d, or a quarter of it.
  units: u32,
  d: u32,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> pre: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> gates: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> h: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> next: array<f32>;
@group(0) @binding(4) var<storage, read_write> candidate: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

// What a unit reads of each: the four values from i on, or the one at i.
fn pre_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(pre[i >> 2u][i & 3u]), pre[i >> 2u], in_fours == 1u);
}

fn gates_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(gates[i >> 2u][i & 3u]), gates[i >> 2u], in_fours == 1u);
}

fn h_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(h[i >> 2u][i & 3u]), h[i >> 2u], in_fours == 1u);
}

fn put_next(i: u32, value: vec4<f32>) {
  next[i] = value.x;
  if (in_fours == 1u) {
    next[i + 1u] = value.y;
    next[i + 2u] = value.z;
    next[i + 3u] = value.w;
  }
}

fn put_candidate(i: u32, value: vec4<f32>) {
  candidate[i] = value.x;
  if (in_fours == 1u) {
    candidate[i + 1u] = value.y;
    candidate[i + 2u] = value.z;
    candidate[i + 3u] = value.w;
  }
}

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
  let z = gates_at(at_z);
  let c = tanh_of(pre_at(i));
  put_candidate(i, c);
  put_next(i, z * h_at(i) + (1.0 - z) * c);
}
