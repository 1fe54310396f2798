import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { segmentDispatches } from '../segment/segment-dispatch.webgpu.ts';

export const segmentLogSumExpKernels = {
  segmentLogSumExp: ({ x, segments }, { y }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    for (const pass of segmentDispatches(segments, width)) {
      gpu.dispatch(shaders.segmentLogSumExp, {
        ...pass,
        buffers: { x, offsets: segments.offsets, y },
        flops: 4 * segments.length * width,
      });
    }
  },
} satisfies Partial<GpuKernelTable>;
