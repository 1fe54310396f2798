import { mergeAxes } from '../../backends/webgpu/axes.ts';
import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { NoAttrs } from '../../core/op.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';

/** How an operand lies beside the result: like it, as one value, or along strides of its own. */
function formOf(strides: readonly number[], extents: readonly number[]): number {
  if (strides.every((stride) => stride === 0)) return 1;
  return strides.length === 1 && strides[0] === 1 && extents.length === 1 ? 0 : 2;
}

/** `op` is the number of the function in binary.wgsl. */
const binary =
  (name: string, op: number): GpuKernel<NoAttrs> =>
  ({ inputs: [a, b], outputs: [y] }, gpu) => {
    const count = sizeOf(y.shape);
    const { extents, strides } = mergeAxes(
      name,
      y.shape,
      [a, b].map(({ shape }) => broadcastStrides(shape, y.shape)),
    );
    gpu.dispatch(shaders.binary, {
      buffers: { a: a.buffer, b: b.buffer, y: y.buffer },
      params: { count, rank: extents.length, extents, a_strides: strides[0], b_strides: strides[1] },
      constants: {
        op,
        kind: a.dtype === 'float32' ? 0 : 1,
        a_form: formOf(strides[0], extents),
        b_form: formOf(strides[1], extents),
      },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
      flops: count,
    });
  };

export const binaryKernels = {
  add: binary('add', 0),
  sub: binary('sub', 1),
  mul: binary('mul', 2),
  div: binary('div', 3),
  maximum: binary('maximum', 4),
  minimum: binary('minimum', 5),
  pow: binary('pow', 6),
  equal: binary('equal', 7),
  notEqual: binary('notEqual', 8),
  less: binary('less', 9),
  lessEqual: binary('lessEqual', 10),
  greater: binary('greater', 11),
  greaterEqual: binary('greaterEqual', 12),
  tanhGrad: binary('tanhGrad', 13),
};
