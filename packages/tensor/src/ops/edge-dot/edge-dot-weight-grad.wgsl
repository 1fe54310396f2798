// out[s, t] = Σ_e g_e [x_i : y_j : x_i ⊙ y_j] over the edges e = (i, j) in slice s of type t.
//
// Types are few and have many edges, so each type's edges are cut into slices of `depth`, and a later sum adds the
// slices in order. A unit is a column of x and y in one slice of one type; `lanes` invocations share it: each takes
// every lanes-th edge, then a tree joins them in workgroup memory.
// Deterministic: one owner per value, a fixed tree, slices of fixed size, no atomics.

struct Params {
  types: u32,
  d: u32,
  slices: u32,
  depth: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> y: array<f32>;
@group(0) @binding(3) var<storage, read> senders: array<u32>;
@group(0) @binding(4) var<storage, read> receivers: array<u32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

var<workgroup> partial: array<vec3<f32>, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let units = 256u / lanes;
  let lane = local / units;
  let unit = (group.y * groups.x + group.x) * units + local % units;
  let d = params.d;
  let column = unit % d;
  let t = (unit / d) % params.types;
  let slice = unit / (d * params.types);

  var total = vec3<f32>();
  if (slice < params.slices) {
    let start = offsets[t] + slice * params.depth;
    let end = min(start + params.depth, offsets[t + 1u]);
    for (var k = start + lane; k < end; k += lanes) {
      let e = order[k];
      let a = x[senders[e] * d + column];
      let b = y[receivers[e] * d + column];
      total += g[e] * vec3<f32>(a, b, a * b);
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * units];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && slice < params.slices) {
    let at = (slice * params.types + t) * 3u * d + column;
    out[at] = total.x;
    out[at + d] = total.y;
    out[at + 2u * d] = total.z;
  }
}
