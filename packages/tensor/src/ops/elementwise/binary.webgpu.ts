import { formOf, mergeAxes } from '../../backends/webgpu/axes.ts';
import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import type { ConstantsOf } from '../../backends/webgpu/override-constants.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';
import type { BinaryOp } from './binary.op.ts';

/** One of the functions that binary.wgsl names. */
const binary =
  (name: ConstantsOf<typeof shaders.binary>['op']): GpuKernel<BinaryOp> =>
  ({ a, b }, { y }, gpu) => {
    const count = sizeOf(y.shape);
    const { extents, strides } = mergeAxes(
      name,
      y.shape,
      [a, b].map(({ shape }) => broadcastStrides(shape, y.shape)),
    );
    gpu.dispatch(shaders.binary, {
      buffers: { a, b, y },
      params: { count, rank: extents.length, extents, a_strides: strides[0], b_strides: strides[1] },
      constants: {
        op: name,
        dtype: a.dtype,
        a_form: formOf(extents, strides[0]),
        b_form: formOf(extents, strides[1]),
        one_axis: Number(extents.length < 2),
      },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
      flops: count,
    });
  };

export const binaryKernels = {
  add: binary('add'),
  sub: binary('sub'),
  mul: binary('mul'),
  div: binary('div'),
  maximum: binary('maximum'),
  minimum: binary('minimum'),
  pow: binary('pow'),
  equal: binary('equal'),
  notEqual: binary('notEqual'),
  less: binary('less'),
  lessEqual: binary('lessEqual'),
  greater: binary('greater'),
  greaterEqual: binary('greaterEqual'),
  tanhGrad: binary('tanhGrad'),
};
