// A walk over up to eight axes of two layouts at once: of x and of out.

struct Params {
  count: u32,
  rank: u32,
  in_start: u32,
  out_start: u32,
  // Outermost first.
  extents: array<vec4<u32>, 2>,
  in_strides: array<vec4<u32>, 2>,
  out_strides: array<vec4<u32>, 2>,
}

@group(0) @binding(2) var<uniform> params: Params;

// Where element i lies in x and in out.
fn places_of(i: u32) -> vec2<u32> {
  var rest = i;
  var places = vec2<u32>(params.in_start, params.out_start);
  for (var back = 0u; back < params.rank; back++) {
    let axis = params.rank - 1u - back;
    let extent = params.extents[axis >> 2u][axis & 3u];
    let position = rest % extent;
    rest /= extent;
    places.x += position * params.in_strides[axis >> 2u][axis & 3u];
    places.y += position * params.out_strides[axis >> 2u][axis & 3u];
  }
  return places;
}
