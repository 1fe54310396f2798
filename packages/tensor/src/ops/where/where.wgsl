// y = mask ? a : b, with broadcasting. Values travel as bits, so every dtype is alike.
// One invocation moves four neighbouring values of y; an operand in which they lie together is read as a vector.
// Deterministic: every value has one owner.

import package::wgsl::forms::{form_each, form_four, form_one};
import package::wgsl::grid::{Group, index_of_64};

struct Params {
  // Values of y.
  count: u32,
  rank: u32,
  // Up to eight axes, outermost first, and how far each operand moves along them; 0 where it repeats.
  extents: array<vec4<u32>, 2>,
  mask_strides: array<vec4<u32>, 2>,
  a_strides: array<vec4<u32>, 2>,
  b_strides: array<vec4<u32>, 2>,
}

override mask_form: u32 = form_four;
override a_form: u32 = form_four;
override b_form: u32 = form_four;
// Whether the walk has at most one axis: places are then known without dividing.
override one_axis: u32 = 0u;

@group(0) @binding(0) var<storage, read> mask: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(4) var<uniform> params: Params;

// Where value i of y is found in mask, a and b.
fn places(i: u32) -> vec3<u32> {
  if (one_axis == 1u) {
    return i * vec3<u32>(params.mask_strides[0].x, params.a_strides[0].x, params.b_strides[0].x);
  }
  var rest = i;
  var at = vec3<u32>();
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    at += (rest % extent) * vec3<u32>(
      params.mask_strides[axis >> 2u][axis & 3u],
      params.a_strides[axis >> 2u][axis & 3u],
      params.b_strides[axis >> 2u][axis & 3u],
    );
    rest /= extent;
  }
  return at;
}

@compute @workgroup_size(64)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let i = index_of_64(group, local);
  if (4u * i >= params.count) { return; }
  let at = places(4u * i);
  var chosen = mask[at.x >> 2u];
  var from_a = a[at.y >> 2u];
  var from_b = b[at.z >> 2u];
  if (mask_form == form_one) {
    chosen = vec4<u32>(mask[at.x >> 2u][at.x & 3u]);
  }
  if (a_form == form_one) {
    from_a = vec4<u32>(a[at.y >> 2u][at.y & 3u]);
  }
  if (b_form == form_one) {
    from_b = vec4<u32>(b[at.z >> 2u][at.z & 3u]);
  }
  if (mask_form == form_each || a_form == form_each || b_form == form_each) {
    for (var lane = 0u; lane < 4u; lane++) {
      let own = places(4u * i + lane);
      if (mask_form == form_each) {
        chosen[lane] = mask[own.x >> 2u][own.x & 3u];
      }
      if (a_form == form_each) {
        from_a[lane] = a[own.y >> 2u][own.y & 3u];
      }
      if (b_form == form_each) {
        from_b[lane] = b[own.z >> 2u][own.z & 3u];
      }
    }
  }
  y[i] = select(from_b, from_a, chosen != vec4<u32>());
}
