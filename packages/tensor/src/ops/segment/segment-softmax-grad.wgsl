// dx[k] = y[k]·(g[k] − Σ g[l]·y[l]) over the entries l of k's segment, column by column.
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations share
// a unit: each takes every lanes-th entry, then a tree joins them in workgroup memory. Short segments run with one
// lane, long ones in a second dispatch with many. Deterministic: one owner per value, a fixed tree.

struct Params {
  segments: u32,
  width: u32,
  // Units per segment.
  units: u32,
  // Only segments of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> g: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(3) var<storage, read_write> dx: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

fn y_at(at: u32) -> vec4<f32> {
  if (in_fours == 1u) {
    return y[at >> 2u];
  }
  return vec4<f32>(y[at >> 2u][at & 3u]);
}

fn g_at(at: u32) -> vec4<f32> {
  if (in_fours == 1u) {
    return g[at >> 2u];
  }
  return vec4<f32>(g[at >> 2u][at & 3u]);
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
  let segment = unit / params.units;
  let column = (unit % params.units) * select(1u, 4u, in_fours == 1u);

  // An invocation without a segment has no entries and stays for the barriers.
  var start = 0u;
  var end = 0u;
  if (segment < params.segments) {
    let length = offsets[segment + 1u] - offsets[segment];
    if (length >= params.shortest && length <= params.longest) {
      start = offsets[segment];
      end = offsets[segment + 1u];
    }
  }

  var total = vec4<f32>();
  for (var k = start + lane; k < end; k += lanes) {
    let at = k * params.width + column;
    total += g_at(at) * y_at(at);
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    workgroupBarrier();
    total = partial[local % shared_units];
  }

  for (var k = start + lane; k < end; k += lanes) {
    let at = k * params.width + column;
    let result = y_at(at) * (g_at(at) - total);
    dx[at] = result.x;
    if (in_fours == 1u) {
      dx[at + 1u] = result.y;
      dx[at + 2u] = result.z;
      dx[at + 3u] = result.w;
    }
  }
}
