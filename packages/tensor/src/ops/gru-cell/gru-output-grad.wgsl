// dpre = dh' ⊙ (1 − z) ⊙ (1 − c²),   dgates = [0 : dh' ⊙ (h − c)],   dh = dh' ⊙ z.
// One invocation computes what belongs to one value of h. Deterministic: every value has one owner.

struct Params {
  // n·d
  count: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> dnext: array<f32>;
@group(0) @binding(1) var<storage, read> gates: array<f32>;
@group(0) @binding(2) var<storage, read> h: array<f32>;
@group(0) @binding(3) var<storage, read> candidate: array<f32>;
@group(0) @binding(4) var<storage, read_write> dpre: array<f32>;
@group(0) @binding(5) var<storage, read_write> dgates: array<f32>;
@group(0) @binding(6) var<storage, read_write> dh: array<f32>;
@group(0) @binding(7) var<uniform> params: Params;

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
  let z = gates[at_r + params.d];
  let c = candidate[i];
  let gradient = dnext[i];
  dpre[i] = gradient * (1.0 - z) * (1.0 - c * c);
  dgates[at_r] = 0.0;
  dgates[at_r + params.d] = gradient * (h[i] - c);
  dh[i] = gradient * z;
}
