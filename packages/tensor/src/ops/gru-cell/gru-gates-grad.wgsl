// dpre = [(dgates_r + dreset ⊙ h) ⊙ r(1 − r) : dgates_z ⊙ z(1 − z)],   dh = dreset ⊙ r.
// One invocation computes what belongs to one value of h. Deterministic: every value has one owner.

struct Params {
  // n·d
  count: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> dgates: array<f32>;
@group(0) @binding(1) var<storage, read> dreset: array<f32>;
@group(0) @binding(2) var<storage, read> gates: array<f32>;
@group(0) @binding(3) var<storage, read> h: array<f32>;
@group(0) @binding(4) var<storage, read_write> dpre: array<f32>;
@group(0) @binding(5) var<storage, read_write> dh: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

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
  let at_r = (i / params.d) * 2u * params.d + i % params.d;
  let at_z = at_r + params.d;
  let r = gates[at_r];
  let z = gates[at_z];
  dpre[at_r] = (dgates[at_r] + dreset[i] * h[i]) * r * (1.0 - r);
  dpre[at_z] = dgates[at_z] * z * (1.0 - z);
  dh[i] = dreset[i] * r;
}
