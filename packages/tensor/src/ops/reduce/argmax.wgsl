// y[o, i] = the first k at which x[o, k, i] is largest, for x [outer, n, inner]; the first NaN if there is one.
//
// `lanes` invocations share a value of y: each takes every lanes-th k, then a tree joins them in workgroup memory.
// Deterministic: between equals the smaller k wins, whatever the order.

import package::wgsl::dtypes::dtype_float32;
import package::wgsl::grid::{Group, group_index};

struct Params {
  // Values of y: outer · inner.
  count: u32,
  n: u32,
  inner: u32,
}

// A power of two up to 256.
override lanes: u32 = 1u;
override dtype: u32 = dtype_float32;

// Not in fours: a value is compared together with its position, one after the other.
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

// Keys that order as the values do, and where they stand. A lane without values has no position.
var<workgroup> keys: array<u32, 256>;
var<workgroup> positions: array<u32, 256>;

const nowhere = 0xffffffffu;

// Unsigned keys in the order of the values: −∞ … +∞, then NaN; both zeros are equal.
fn key_of(bits: u32) -> u32 {
  if (dtype != dtype_float32) {
    return bits ^ 0x80000000u;
  }
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return 0xffffffffu;
  }
  if ((bits & 0x7fffffffu) == 0u) {
    return 0x80000000u;
  }
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

fn beats(key: u32, position: u32, other_key: u32, other_position: u32) -> bool {
  if (position == nowhere || other_position == nowhere) {
    return other_position == nowhere;
  }
  return key > other_key || (key == other_key && position < other_position);
}

@compute @workgroup_size(256)
fn main(group: Group, @builtin(local_invocation_index) local: u32) {
  let lane = local % lanes;
  let index = group_index(group) * (256u / lanes) + local / lanes;
  var best_key = 0u;
  var best = nowhere;
  if (index < params.count) {
    let i = index % params.inner;
    let o = index / params.inner;
    for (var k = lane; k < params.n; k += lanes) {
      let key = key_of(x[(o * params.n + k) * params.inner + i]);
      if (beats(key, k, best_key, best)) {
        best_key = key;
        best = k;
      }
    }
  }
  keys[local] = best_key;
  positions[local] = best;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half && beats(keys[local + half], positions[local + half], keys[local], positions[local])) {
      keys[local] = keys[local + half];
      positions[local] = positions[local + half];
    }
  }
  if (lane == 0u && index < params.count) {
    y[index] = i32(positions[local]);
  }
}
