import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { adamUpdateOp } from './adam-update.op.ts';

export const adamUpdateKernel: GpuKernel<typeof adamUpdateOp> = ({ p, g, m, v }, _outputs, gpu, attrs) => {
  const { learningRate, beta1, beta2, epsilon, step } = attrs;
  const size = sizeOf(p.shape);
  const count = Math.ceil(size / 4);
  gpu.dispatch(shaders.adamUpdate, {
    buffers: { p, g, m, v },
    params: {
      count,
      learning_rate: learningRate,
      beta1,
      beta2,
      one_minus_beta1: 1 - beta1,
      one_minus_beta2: 1 - beta2,
      epsilon,
      correction1: 1 / (1 - beta1 ** step),
      correction2: 1 / (1 - beta2 ** step),
    },
    workgroups: groupsOf(count, 64),
    flops: 14 * size,
  });
};
