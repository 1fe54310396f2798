// A unit of a GRU cell is four columns of a row of h, or one where d is no multiple of four.

import package::wgsl::units::unit_width;

struct GruParams {
  // n·d, or a quarter of it.
  units: u32,
  d: u32,
}

// Where a unit lies in h, and where its r and z lie in gates = [r : z].
struct GruPlace {
  h: u32,
  r: u32,
  z: u32,
}

fn gru_place(unit: u32, d: u32) -> GruPlace {
  let h = unit * unit_width();
  let r = (h / d) * 2u * d + h % d;
  return GruPlace(h, r, r + d);
}
