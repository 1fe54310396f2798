// c = tanh(pre),   h' = z ⊙ h + (1 − z) ⊙ c, with gates = [r : z].
// A unit is four columns of a row of h, or one where d is no multiple of four; one invocation computes what belongs to
// it, and reads it as vectors. Deterministic: every value has one owner.

import package::ops::gru_cell::gru_unit::{gru_place, GruParams};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::tanh::tanh_of_fours;
import package::wgsl::units::{unit_in, unit_width};

@group(0) @binding(0) var<storage, read> pre: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> gates: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> h: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> next: array<f32>;
@group(0) @binding(4) var<storage, read_write> candidate: array<f32>;
@group(0) @binding(5) var<uniform> params: GruParams;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let unit = index_of_64(group, local);
  if (unit >= params.units) { return; }
  let at = gru_place(unit, params.d);
  let z = unit_in(gates[at.z >> 2u], at.z);
  let c = tanh_of_fours(unit_in(pre[at.h >> 2u], at.h));
  let mixed = z * unit_in(h[at.h >> 2u], at.h) + (1.0 - z) * c;
  for (var i = 0u; i < unit_width(); i++) {
    candidate[at.h + i] = c[i];
    next[at.h + i] = mixed[i];
  }
}
