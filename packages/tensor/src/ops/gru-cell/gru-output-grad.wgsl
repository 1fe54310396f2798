// da_c = dh' ⊙ (1 − z) ⊙ (1 − c²),   da_z = dh' ⊙ (h − c) ⊙ z(1 − z), with gates = [r : z] and of_gates = [da_r : da_z].
// A unit is four columns of a row of h, or one where d is no multiple of four; one invocation computes what belongs to
// it, and reads it as vectors. Deterministic: every value has one owner.

struct Params {
  // n·d, or a quarter of it.
  units: u32,
  d: u32,
}

override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> dnext: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> gates: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> h: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> candidate: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> of_candidate: array<f32>;
@group(0) @binding(5) var<storage, read_write> of_gates: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

// What a unit reads of each: the four values from i on, or the one at i.
fn dnext_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(dnext[i >> 2u][i & 3u]), dnext[i >> 2u], in_fours == 1u);
}

fn gates_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(gates[i >> 2u][i & 3u]), gates[i >> 2u], in_fours == 1u);
}

fn h_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(h[i >> 2u][i & 3u]), h[i >> 2u], in_fours == 1u);
}

fn candidate_at(i: u32) -> vec4<f32> {
  return select(vec4<f32>(candidate[i >> 2u][i & 3u]), candidate[i >> 2u], in_fours == 1u);
}

fn put_of_candidate(i: u32, value: vec4<f32>) {
  of_candidate[i] = value.x;
  if (in_fours == 1u) {
    of_candidate[i + 1u] = value.y;
    of_candidate[i + 2u] = value.z;
    of_candidate[i + 3u] = value.w;
  }
}

fn put_of_gates(i: u32, value: vec4<f32>) {
  of_gates[i] = value.x;
  if (in_fours == 1u) {
    of_gates[i + 1u] = value.y;
    of_gates[i + 2u] = value.z;
    of_gates[i + 3u] = value.w;
  }
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
  let c = candidate_at(i);
  let kept = dnext_at(i) * (1.0 - z);
  put_of_candidate(i, kept * (1.0 - c * c));
  put_of_gates(at_z, kept * z * (h_at(i) - c));
}
