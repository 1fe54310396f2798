import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { castOp } from './cast.op.ts';

export const castKernel: GpuKernel<typeof castOp> = ({ x }, { y }, gpu) => {
  const count = Math.ceil(sizeOf(y.shape) / 4);
  gpu.dispatch(shaders.cast, {
    buffers: { x, y },
    params: { count },
    constants: { x_dtype: x.dtype, y_dtype: y.dtype },
    workgroups: groupsOf(count, 64),
  });
};
