// NaN and infinities, which compilers may assume away, and maxima that let NaN win.

// A call, so that NaN and infinities are made at run time: WGSL rejects them in constants.
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// By its bits: compilers may assume that v != v never holds.
fn is_nan(v: f32) -> bool {
  return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u;
}

fn are_nan(v: vec4<f32>) -> vec4<bool> {
  return (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// NaN wins.
fn larger(p: f32, q: f32) -> f32 {
  return select(select(q, p, p > q || is_nan(p)), q, is_nan(q));
}

fn larger_fours(p: vec4<f32>, q: vec4<f32>) -> vec4<f32> {
  return select(select(q, p, (p > q) | are_nan(p)), q, are_nan(q));
}
