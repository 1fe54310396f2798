import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { reduceSegments } from '../segment/segment.webgpu.ts';

export const gatherKernels = {
  gather: ({ x, index }, { y }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    const count = sizeOf(y.shape);
    gpu.dispatch(shaders.gather, {
      buffers: { x: x.buffer, ids: index.ids.buffer, out: y.buffer },
      params: { count, width },
      constants: { in_fours: Number(width % 4 === 0) },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
    });
  },
  scatterAdd: ({ x, index }, { y }, gpu) => {
    const order = index.sorted ? undefined : index.order;
    reduceSegments(gpu, { x, order, out: y, index, combine: 'sum' });
  },
  gatherSum: ({ x, from, to }, { y }, gpu) => {
    reduceSegments(gpu, { x, order: to.order, ids: from.ids, out: y, index: to, combine: 'sum' });
  },
} satisfies Partial<GpuKernelTable>;
