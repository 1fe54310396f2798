// da_r = dreset ⊙ h ⊙ r(1 − r),   dh = dh' ⊙ z + dreset ⊙ r, with gates = [r : z] and of_gates = [da_r : da_z].
// A unit is four columns of a row of h, or one where d is no multiple of four; one invocation computes what belongs to
// it, and reads it as vectors. Deterministic: every value has one owner.

import package::ops::gru_cell::gru_unit::{gru_place, GruParams};
import package::wgsl::grid::{Group, index_of_64};
import package::wgsl::units::{unit_in, unit_width};

@group(0) @binding(0) var<storage, read> dnext: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> dreset: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> gates: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> h: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> of_gates: array<f32>;
@group(0) @binding(5) var<storage, read_write> dh: array<f32>;
@group(0) @binding(6) var<uniform> params: GruParams;

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let unit = index_of_64(group, local);
  if (unit >= params.units) { return; }
  let at = gru_place(unit, params.d);
  let r = unit_in(gates[at.r >> 2u], at.r);
  let gradient = unit_in(dreset[at.h >> 2u], at.h);
  let of_r = gradient * unit_in(h[at.h >> 2u], at.h) * r * (1.0 - r);
  let of_h = unit_in(dnext[at.h >> 2u], at.h) * unit_in(gates[at.z >> 2u], at.z) + gradient * r;
  for (var i = 0u; i < unit_width(); i++) {
    of_gates[at.r + i] = of_r[i];
    dh[at.h + i] = of_h[i];
  }
}
