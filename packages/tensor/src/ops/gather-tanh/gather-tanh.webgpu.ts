import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { gatherRows } from '../gather/gather.webgpu.ts';

export const gatherTanhKernels = {
  gatherTanh: ({ xs, indices }, { out }, gpu) => {
    xs.forEach((x, i) => {
      gatherRows(x, indices[i], out, gpu, { adds: i > 0, acts: i === xs.length - 1 });
    });
  },
} satisfies Partial<GpuKernelTable>;
