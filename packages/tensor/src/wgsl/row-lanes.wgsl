// `lanes` neighbouring invocations share a row: each takes every lanes-th of its values, so that rows are read side by
// side, then a tree joins them in workgroup memory. Deterministic: a fixed tree.

import package::wgsl::combine::combine_sum;
import package::wgsl::numbers::larger;

// A power of two up to the size of a workgroup.
override lanes: u32 = 1u;

var<workgroup> partial: array<f32, 256>;

// What the lanes of a row give together, for all of them. Every invocation must come here.
fn join_lanes(local: u32, value: f32, combine: u32) -> f32 {
  if (lanes == 1u) {
    return value;
  }
  let lane = local % lanes;
  workgroupBarrier();
  partial[local] = value;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      let other = partial[local + half];
      partial[local] = select(larger(partial[local], other), partial[local] + other, combine == combine_sum);
    }
  }
  workgroupBarrier();
  return partial[local - lane];
}
