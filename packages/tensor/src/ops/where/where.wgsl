// y = mask ? a : b, with broadcasting. Values travel as bits, so every dtype is alike.
// One invocation moves one value. Deterministic: every value has one owner.

struct Params {
  count: u32,
  rank: u32,
  // Up to eight axes, outermost first, and how far each operand moves along them; 0 where it repeats.
  extents: array<vec4<u32>, 2>,
  mask_strides: array<vec4<u32>, 2>,
  a_strides: array<vec4<u32>, 2>,
  b_strides: array<vec4<u32>, 2>,
}

@group(0) @binding(0) var<storage, read> mask: array<u32>;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

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
  var mask_at = 0u;
  var a_at = 0u;
  var b_at = 0u;
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    let position = rest % extent;
    rest /= extent;
    mask_at += position * params.mask_strides[axis >> 2u][axis & 3u];
    a_at += position * params.a_strides[axis >> 2u][axis & 3u];
    b_at += position * params.b_strides[axis >> 2u][axis & 3u];
  }
  if (mask[mask_at] != 0u) {
    y[i] = a[a_at];
  } else {
    y[i] = b[b_at];
  }
}
