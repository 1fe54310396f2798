// out[p] = Σ slopes_k + (1 − tanh² b) ⊙ Σ unattended[r]·dout[r] over slice p of the messages k and of the rows r, and all heads.
//
// A unit is four columns of one slice (one where heads are not a multiple of four wide). `lanes` invocations share it:
// each takes every lanes-th message and row, then a tree joins them in workgroup memory.
// Deterministic: one owner per value, a fixed tree, slices of fixed size, no atomics.

import package::wgsl::combine::combine_sum;
import package::wgsl::grid::Group;
import package::wgsl::tanh::tanh_of_fours;
import package::wgsl::unit_lanes::{columns_written, join_lanes, lanes, place_of};
import package::wgsl::units::unit_in;

struct Params {
  messages: u32,
  rows: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
  // Units per slice.
  units: u32,
  slices: u32,
  // Messages and rows of a slice.
  slice_messages: u32,
  slice_rows: u32,
}

override has_unattended: u32 = 0u;

@group(0) @binding(0) var<storage, read> slopes: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> dout: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> unattended: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let place = place_of(group, local, params.units);

  var total = vec4<f32>();
  if (place.row < params.slices) {
    let first_message = place.row * params.slice_messages;
    let last_message = min(first_message + params.slice_messages, params.messages);
    for (var k = first_message + place.lane; k < last_message; k += lanes) {
      for (var c = place.column; c < params.width; c += params.head_width) {
        let at = k * params.width + c;
        total += unit_in(slopes[at >> 2u], at);
      }
    }
    if (has_unattended == 1u) {
      var silent = vec4<f32>();
      let first_row = place.row * params.slice_rows;
      let last_row = min(first_row + params.slice_rows, params.rows);
      for (var r = first_row + place.lane; r < last_row; r += lanes) {
        for (var c = place.column; c < params.width; c += params.head_width) {
          let at = r * params.width + c;
          silent += unattended[r] * unit_in(dout[at >> 2u], at);
        }
      }
      let acted = tanh_of_fours(unit_in(bias[place.column >> 2u], place.column));
      total += silent * (1.0 - acted * acted);
    }
  }
  total = join_lanes(local, total, combine_sum);
  let at = place.row * params.head_width + place.column;
  for (var c = 0u; c < columns_written(place, place.row < params.slices); c++) {
    out[at + c] = total[c];
  }
}
