import { formOf, mergeAxes } from '../../backends/webgpu/axes.ts';
import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';
import type { whereOp } from './where.op.ts';

export const whereKernel: GpuKernel<typeof whereOp> = ({ mask, a, b }, { y }, gpu) => {
  const count = sizeOf(y.shape);
  const { extents, strides } = mergeAxes(
    'where',
    y.shape,
    [mask, a, b].map(({ shape }) => broadcastStrides(shape, y.shape)),
  );
  const [mask_strides, a_strides, b_strides] = strides;
  gpu.dispatch(shaders.where, {
    buffers: { mask, a, b, y },
    params: { count, rank: extents.length, extents, mask_strides, a_strides, b_strides },
    constants: {
      mask_form: formOf(extents, mask_strides),
      a_form: formOf(extents, a_strides),
      b_form: formOf(extents, b_strides),
      one_axis: Number(extents.length < 2),
    },
    workgroups: groupsOf(Math.ceil(count / 4), 64),
  });
};
