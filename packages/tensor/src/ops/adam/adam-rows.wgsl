// g' = λp + g,   m ← β₁m + (1−β₁)g',   v ← β₂v + (1−β₂)g'²,   p ← p − rate·m / (√(v·correction) + ε): on some rows, at each
// of the steps that they missed, g at the last alone. In place; see adam-rows.op.ts.
// One invocation takes one value through all its steps. Deterministic: every value has one owner, as no row occurs twice.

import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Values of the rows.
  count: u32,
  width: u32,
  steps: u32,
  beta1: f32,
  beta2: f32,
  one_minus_beta1: f32,
  one_minus_beta2: f32,
  epsilon: f32,
  decay: f32,
}

override has_gradient: u32 = 0u;

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read> missed: array<u32>;
@group(0) @binding(3) var<storage, read> rates: array<f32>;
@group(0) @binding(4) var<storage, read_write> p: array<f32>;
@group(0) @binding(5) var<storage, read_write> m: array<f32>;
@group(0) @binding(6) var<storage, read_write> v: array<f32>;
@group(0) @binding(7) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (i >= params.count) { return; }
  let k = i / params.width;
  let at = ids[k] * params.width + i % params.width;
  var value = p[at];
  var first = m[at];
  var second = v[at];
  for (var s = params.steps - missed[k]; s < params.steps; s++) {
    value *= rates[s * 3u + 2u];
    var gradient = params.decay * value;
    if (has_gradient == 1u && s + 1u == params.steps) { gradient += g[i]; }
    first = params.beta1 * first + params.one_minus_beta1 * gradient;
    second = params.beta2 * second + params.one_minus_beta2 * gradient * gradient;
    value -= rates[s * 3u] * first / (sqrt(second * rates[s * 3u + 1u]) + params.epsilon);
  }
  p[at] = value;
  m[at] = first;
  v[at] = second;
}
