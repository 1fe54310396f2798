// out[p] = Σ slopes_k + (1 − tanh² b) ⊙ Σ unattended[r]·dout[r] over slice p of the messages k and of the rows r, and all heads.
//
// A unit is four columns of one slice (one where heads are not a multiple of four wide). `lanes` invocations share it:
// each takes every lanes-th message and row, then a tree joins them in workgroup memory.
// Deterministic: one owner per value, a fixed tree, slices of fixed size, no atomics.

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

// A power of two up to 256.
override lanes: u32 = 1u;
override has_unattended: u32 = 0u;
override in_fours: u32 = 0u;

@group(0) @binding(0) var<storage, read> slopes: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> dout: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> unattended: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

var<workgroup> partial: array<vec4<f32>, 256>;

// Near 0 an odd polynomial, else (1 − e^−2|v|) / (1 + e^−2|v|): WGSL's own tanh may be off by 1e-5, or NaN far out.
fn tanh_of(v: vec4<f32>) -> vec4<f32> {
  let size = abs(v);
  let z = v * v;
  var p = vec4<f32>(-5.70498872745e-3);
  p = fma(p, z, vec4<f32>(2.06390887954e-2));
  p = fma(p, z, vec4<f32>(-5.37397155531e-2));
  p = fma(p, z, vec4<f32>(1.33314422036e-1));
  p = fma(p, z, vec4<f32>(-3.33332819422e-1));
  let near = fma(p * z, v, v);
  let e = exp(select(-2.0 * size, vec4<f32>(-40.0), size > vec4<f32>(20.0)));
  let far = sign(v) * (1.0 - e) / (1.0 + e);
  let result = select(far, near, size < vec4<f32>(0.625));
  return select(result, v, (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u));
}

fn slopes_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(slopes[at >> 2u][at & 3u]), slopes[at >> 2u], in_fours == 1u);
}

fn dout_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(dout[at >> 2u][at & 3u]), dout[at >> 2u], in_fours == 1u);
}

fn bias_at(at: u32) -> vec4<f32> {
  return select(vec4<f32>(bias[at >> 2u][at & 3u]), bias[at >> 2u], in_fours == 1u);
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
  let slice = unit / params.units;
  let column = (unit % params.units) * select(1u, 4u, in_fours == 1u);

  var total = vec4<f32>();
  if (slice < params.slices) {
    let first_message = slice * params.slice_messages;
    let last_message = min(first_message + params.slice_messages, params.messages);
    for (var k = first_message + lane; k < last_message; k += lanes) {
      for (var c = column; c < params.width; c += params.head_width) {
        total += slopes_at(k * params.width + c);
      }
    }
    if (has_unattended == 1u) {
      var silent = vec4<f32>();
      let first_row = slice * params.slice_rows;
      let last_row = min(first_row + params.slice_rows, params.rows);
      for (var r = first_row + lane; r < last_row; r += lanes) {
        for (var c = column; c < params.width; c += params.head_width) {
          silent += unattended[r] * dout_at(r * params.width + c);
        }
      }
      let acted = tanh_of(bias_at(column));
      total += silent * (1.0 - acted * acted);
    }
  }
  if (lanes > 1u) {
    partial[local] = total;
    for (var half = lanes / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (lane < half) {
        partial[local] = partial[local] + partial[local + half * shared_units];
      }
    }
    total = partial[local];
  }
  if (lane == 0u && slice < params.slices) {
    let at = slice * params.head_width + column;
    out[at] = total.x;
    if (in_fours == 1u) {
      out[at + 1u] = total.y;
      out[at + 2u] = total.z;
      out[at + 3u] = total.w;
    }
  }
}
