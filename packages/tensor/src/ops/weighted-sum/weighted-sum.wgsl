// out[r] = Σ w[k]·x[row k] over the entries k of row r, column by column; a weight for each of the heads of a row.
//
// A unit is four columns of a row of out (one where heads are not a multiple of four wide). `lanes` invocations share a
// unit: each takes every lanes-th entry, then a tree joins them in workgroup memory, as in segment-reduce.
// Deterministic: one owner per value, a fixed tree, no atomics.

struct Params {
  rows: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
  // Units per row.
  units: u32,
  // Only rows of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
// 0: entry k reads row k of x; 1: row ids[k].
override through: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

fn term(k: u32, column: u32) -> vec4<f32> {
  let entry = order[k];
  var row = entry;
  if (through == 1u) {
    row = ids[entry];
  }
  let weight = w[entry * (params.width / params.head_width) + column / params.head_width];
  let at = row * params.width + column;
  if (in_fours == 1u) {
    return weight * x[at >> 2u];
  }
  return vec4<f32>(weight * x[at >> 2u][at & 3u], 0.0, 0.0, 0.0);
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

  var start = 0u;
  var end = 0u;
  var mine = false;
  if (row < params.rows) {
    start = offsets[row];
    end = offsets[row + 1u];
    mine = end - start >= params.shortest && end - start <= params.longest;
  }
  var total = vec4<f32>();
  if (mine) {
    for (var k = start + lane; k < end; k += lanes) {
      total += term(k, column);
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
    let at = row * params.width + column;
    out[at] = total.x;
    if (in_fours == 1u) {
      out[at + 1u] = total.y;
      out[at + 2u] = total.z;
      out[at + 3u] = total.w;
    }
  }
}
