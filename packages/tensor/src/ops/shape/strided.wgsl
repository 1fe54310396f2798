// out[out_start + i·out_strides] = x[in_start + i·in_strides] for every index i: permute, broadcastTo, slice, one part
// of concat, the inside of pad, assign. Values travel as bits, so every dtype is alike.
// Not in fours: this takes the layouts that strided-fours and transpose cannot.
// One invocation moves one value; neighbours write neighbours. Deterministic: every value has one owner.

struct Params {
  count: u32,
  rank: u32,
  in_start: u32,
  out_start: u32,
  // Up to eight axes, outermost first.
  extents: array<vec4<u32>, 2>,
  in_strides: array<vec4<u32>, 2>,
  out_strides: array<vec4<u32>, 2>,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

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
  var rest = i;
  var source = params.in_start;
  var place = params.out_start;
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    let position = rest % extent;
    rest /= extent;
    source += position * params.in_strides[axis >> 2u][axis & 3u];
    place += position * params.out_strides[axis >> 2u][axis & 3u];
  }
  out[place] = x[source];
}
