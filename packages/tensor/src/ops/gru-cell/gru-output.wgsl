// c = tanh(pre + bias),   h' = z ⊙ h + (1 − z) ⊙ c, with gates = [r : z].
// One invocation computes one value of h' and of c. Deterministic: every value has one owner.

struct Params {
  // n·d
  count: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> pre: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<f32>;
@group(0) @binding(2) var<storage, read> gates: array<f32>;
@group(0) @binding(3) var<storage, read> h: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;
@group(0) @binding(5) var<storage, read_write> candidate: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// Near 0 an odd polynomial, else (1 − e^−2|v|) / (1 + e^−2|v|): WGSL's own tanh may be off by 1e-5, or NaN far out.
fn tanh_of(v: f32) -> f32 {
  let size = abs(v);
  if (size < 0.625) {
    let z = v * v;
    var p = -5.70498872745e-3;
    p = fma(p, z, 2.06390887954e-2);
    p = fma(p, z, -5.37397155531e-2);
    p = fma(p, z, 1.33314422036e-1);
    p = fma(p, z, -3.33332819422e-1);
    return fma(p * z, v, v);
  }
  let e = exp(select(-2.0 * size, -40.0, size > 20.0));
  let result = sign(v) * (1.0 - e) / (1.0 + e);
  return select(result, v, (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u);
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
  let column = i % params.d;
  let z = gates[(i / params.d) * 2u * params.d + params.d + column];
  let c = tanh_of(pre[i] + bias[column]);
  candidate[i] = c;
  next[i] = z * h[i] + (1.0 - z) * c;
}
