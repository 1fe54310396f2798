// m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²,   p ← p − η·(m / (1−β₁ᵗ)) / (√(v / (1−β₂ᵗ)) + ε), in place.
// One invocation updates four neighbouring values. Deterministic: every value has one owner.

import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Groups of four values.
  count: u32,
  learning_rate: f32,
  beta1: f32,
  beta2: f32,
  one_minus_beta1: f32,
  one_minus_beta2: f32,
  epsilon: f32,
  // 1 / (1−β₁ᵗ) and 1 / (1−β₂ᵗ).
  correction1: f32,
  correction2: f32,
}

@group(0) @binding(0) var<storage, read> g: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> p: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> m: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> v: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let gradient = g[i];
  let first = params.beta1 * m[i] + params.one_minus_beta1 * gradient;
  let second = params.beta2 * v[i] + params.one_minus_beta2 * gradient * gradient;
  m[i] = first;
  v[i] = second;
  let step = params.learning_rate * (first * params.correction1);
  p[i] -= step / (sqrt(second * params.correction2) + params.epsilon);
}
