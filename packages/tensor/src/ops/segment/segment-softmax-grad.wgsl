// dx[k] = y[k]·(g[k] − Σ g[l]·y[l]) over the entries l of k's segment, column by column.
//
// A unit is a column of a segment. `lanes` invocations share a unit: each takes every lanes-th entry, then a tree joins
// them in workgroup memory. Short segments run with one lane, long ones in a second dispatch with many.
// Deterministic: one owner per value, a fixed tree.

struct Params {
  segments: u32,
  width: u32,
  // Only segments of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;

@group(0) @binding(0) var<storage, read> y: array<f32>;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> dx: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

var<workgroup> partial: array<f32, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let units = 256u / lanes;
  let lane = local / units;
  let unit = (group.y * groups.x + group.x) * units + local % units;
  let segment = unit / params.width;
  let column = unit % params.width;

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

  var total = 0.0;
  for (var k = start + lane; k < end; k += lanes) {
    total += g[k * params.width + column] * y[k * params.width + column];
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * units];
      }
    }
    workgroupBarrier();
    total = partial[local % units];
  }

  for (var k = start + lane; k < end; k += lanes) {
    let at = k * params.width + column;
    dx[at] = y[at] * (g[at] - total);
  }
}
