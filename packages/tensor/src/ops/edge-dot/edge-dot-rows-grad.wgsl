// out[i] = Σ_e g_e (w^side_t + w³_t ⊙ other[far end of e]) over the edges e of node i on one side.
//
// A unit is four columns of a node (one column where d is not a multiple of four). `lanes` invocations share a unit:
// each takes every lanes-th edge, then a tree joins them in workgroup memory. Nodes of few edges run with one lane,
// those of many in a second dispatch with many. Deterministic: one owner per value, a fixed tree, no atomics.

struct Params {
  rows: u32,
  d: u32,
  // Units per row.
  units: u32,
  // Where the side's part of a weight begins: 0 for senders, d for receivers.
  part: u32,
  // Only rows of so many edges are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> other: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> far: array<u32>;
@group(0) @binding(4) var<storage, read> types: array<u32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

fn weight_at(at: u32) -> vec4<f32> {
  if (in_fours == 1u) {
    return weight[at >> 2u];
  }
  return vec4<f32>(weight[at >> 2u][at & 3u], 0.0, 0.0, 0.0);
}

fn other_at(at: u32) -> vec4<f32> {
  if (in_fours == 1u) {
    return other[at >> 2u];
  }
  return vec4<f32>(other[at >> 2u][at & 3u], 0.0, 0.0, 0.0);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let shared_units = 256u / lanes;
  let lane = local / shared_units;
  let unit = (group.y * groups.x + group.x) * shared_units + local % shared_units;
  let row = unit / params.units;
  let column = (unit % params.units) * select(1u, 4u, in_fours == 1u);

  var total = vec4<f32>();
  var mine = false;
  if (row < params.rows) {
    let start = offsets[row];
    let end = offsets[row + 1u];
    mine = end - start >= params.shortest && end - start <= params.longest;
    if (mine) {
      for (var k = start + lane; k < end; k += lanes) {
        let e = order[k];
        let at_w = types[e] * 3u * params.d + column;
        let product = weight_at(at_w + 2u * params.d) * other_at(far[e] * params.d + column);
        total += g[e] * (weight_at(at_w + params.part) + product);
      }
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && mine) {
    let at = row * params.d + column;
    out[at] = total.x;
    if (in_fours == 1u) {
      out[at + 1u] = total.y;
      out[at + 2u] = total.z;
      out[at + 3u] = total.w;
    }
  }
}
