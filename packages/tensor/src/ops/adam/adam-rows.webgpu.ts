import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { adamRowsOp } from './adam-rows.op.ts';

export const adamRowsKernel: GpuKernel<typeof adamRowsOp> = (operands, _outputs, gpu, attrs) => {
  const { p, m, v, g, index, missed, rates } = operands;
  const { beta1, beta2, epsilon, decay } = attrs;
  const width = sizeOf(p.shape.slice(1));
  const count = index.length * width;
  const [steps] = rates.shape;
  gpu.dispatch(shaders.adamRows, {
    buffers: { g: g ?? rates, ids: index.ids, missed, rates, p, m, v },
    params: {
      count,
      width,
      steps,
      beta1,
      beta2,
      one_minus_beta1: 1 - beta1,
      one_minus_beta2: 1 - beta2,
      epsilon,
      decay,
    },
    constants: { has_gradient: Number(g !== undefined) },
    workgroups: groupsOf(count, 64),
    flops: 14 * count,
  });
};
