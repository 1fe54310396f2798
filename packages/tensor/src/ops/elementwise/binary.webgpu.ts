import { formOf, mergeAxes } from '../../backends/webgpu/axes.ts';
import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { NoAttrs } from '../../core/op.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';

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
        a_form: formOf(extents, strides[0]),
        b_form: formOf(extents, strides[1]),
        one_axis: Number(extents.length < 2),
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
