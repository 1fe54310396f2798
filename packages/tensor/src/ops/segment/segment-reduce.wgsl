// out[s] = Σ x[row k] or max x[row k] over the entries k of segment s, column by column: segmentSum and segmentMax
// (row k = k), scatterAdd (row k = order[k]), gatherSum (row k = ids[order[k]]).
//
// A unit is four columns of a segment (one column where rows are not a multiple of four wide). `lanes` invocations
// share a unit: each takes every lanes-th entry, then a tree joins them in workgroup memory. Short segments run with
// one lane, long ones in a second dispatch with many, so the work follows the number of entries and no segment
// waits for one invocation. Deterministic: one owner per value, a fixed tree, no atomics.

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
// 0: sum, 1: maximum.
override combine: u32 = 0u;
// 0: entries are rows; 1: through order; 2: through ids of order.
override through: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> ids: array<u32>;
// Not in fours: where rows are no multiple of four wide, two rows share one, and each part has its own owner.
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

// A call, so that infinities are made at run time: WGSL rejects them in constants.
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn is_nan(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

fn join(p: vec4<f32>, q: vec4<f32>) -> vec4<f32> {
  if (combine == 0u) {
    return p + q;
  }
  // NaN wins.
  return select(select(q, p, (p > q) | is_nan(p)), q, is_nan(q));
}

fn load(k: u32, column: u32) -> vec4<f32> {
  var row = k;
  if (through == 1u) {
    row = order[k];
  } else if (through == 2u) {
    row = ids[order[k]];
  }
  let at = row * params.width + column;
  if (in_fours == 1u) {
    return x[at >> 2u];
  }
  return vec4<f32>(x[at >> 2u][at & 3u], 0.0, 0.0, 0.0);
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

  var start = 0u;
  var end = 0u;
  var mine = false;
  if (segment < params.segments) {
    start = offsets[segment];
    end = offsets[segment + 1u];
    mine = end - start >= params.shortest && end - start <= params.longest;
  }
  let is_empty = start == end;
  var total = vec4<f32>(select(0.0, from_bits(0xff800000u), combine == 1u && !is_empty));
  if (mine) {
    for (var k = start + lane; k < end; k += lanes) {
      total = join(total, load(k, column));
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = join(partial[local], partial[local + half * shared_units]);
      }
    }
    total = partial[local];
  }
  if (lane == 0u && mine) {
    let at = segment * params.width + column;
    out[at] = total.x;
    if (in_fours == 1u) {
      out[at + 1u] = total.y;
      out[at + 2u] = total.z;
      out[at + 3u] = total.w;
    }
  }
}
