import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { segmentDispatches } from '../segment/segment-dispatch.webgpu.ts';

export const segmentLogSumExpKernels = {
  segmentLogSumExp: ({ x, segments }, { y }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    const inFours = width % 4 === 0;
    const units = inFours ? width / 4 : width;
    for (const { lanes, shortest, longest } of segmentDispatches(segments)) {
      gpu.dispatch(shaders.segmentLogSumExp, {
        buffers: { x: x.buffer, offsets: segments.offsets.buffer, y: y.buffer },
        params: { segments: segments.rows, width, units, shortest, longest },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(segments.rows * units, 256 / lanes),
        flops: 4 * segments.length * width,
      });
    }
  },
} satisfies Partial<GpuKernelTable>;
