// gates = [r : z] = σ(pre + bias),   reset = r ⊙ h, for pre [n, 2d], bias [2d], h [n, d].
// One invocation computes r, z and the reset state of one value of h. Deterministic: every value has one owner.

struct Params {
  // n·d
  count: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> pre: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<f32>;
@group(0) @binding(2) var<storage, read> h: array<f32>;
@group(0) @binding(3) var<storage, read_write> gates: array<f32>;
@group(0) @binding(4) var<storage, read_write> reset: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

// 1 / (1 + e^−v), with an exponent that is never positive: nothing overflows.
fn sigmoid(v: f32) -> f32 {
  let e = exp(select(-abs(v), -104.0, abs(v) > 104.0));
  let result = select(e, 1.0, v >= 0.0) / (1.0 + e);
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
  let at_r = (i / params.d) * 2u * params.d + column;
  let at_z = at_r + params.d;
  let r = sigmoid(pre[at_r] + bias[column]);
  gates[at_r] = r;
  gates[at_z] = sigmoid(pre[at_z] + bias[column + params.d]);
  reset[i] = r * h[i];
}
