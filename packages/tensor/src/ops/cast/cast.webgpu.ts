import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { CastAttrs } from './cast.op.ts';

/** The numbers of the dtypes in cast.wgsl. */
const codes = { float32: 0, int32: 1, bool: 2 };

export const castKernel: GpuKernel<CastAttrs> = ({ inputs: [x], outputs: [y] }, gpu) => {
  const count = Math.ceil(sizeOf(y.shape) / 4);
  gpu.dispatch(shaders.cast, {
    buffers: { x: x.buffer, y: y.buffer },
    params: { count },
    constants: { source: codes[x.dtype], result: codes[y.dtype] },
    workgroups: groupsOf(count, 64),
  });
};
