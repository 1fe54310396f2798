import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import type { NoAttrs } from '../../core/op.ts';
import { stridesOf } from '../../core/shape.ts';
import { copyStrided } from '../shape/strided.webgpu.ts';

export const assignKernel: GpuKernel<NoAttrs> = ({ inputs: [target, source] }, gpu) => {
  if (target.buffer === source.buffer) return;
  const strides = stridesOf(target.shape);
  copyStrided('assign', gpu, {
    from: source.buffer,
    to: target.buffer,
    shape: target.shape,
    inStrides: strides,
    outStrides: strides,
  });
};
