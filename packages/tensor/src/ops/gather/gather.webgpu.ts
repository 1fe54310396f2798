import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { reduceSegments } from '../segment/segment.webgpu.ts';
import type { GatherSumAttrs } from './gather-sum.op.ts';
import type { IndexAttrs } from './gather.op.ts';

export const gatherKernels: {
  readonly gather: GpuKernel<IndexAttrs>;
  readonly scatterAdd: GpuKernel<IndexAttrs>;
  readonly gatherSum: GpuKernel<GatherSumAttrs>;
} = {
  gather: ({ inputs: [x, ids], outputs: [out] }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    const count = sizeOf(out.shape);
    gpu.dispatch(shaders.gather, {
      buffers: { x: x.buffer, ids: ids.buffer, out: out.buffer },
      params: { count, width },
      constants: { in_fours: Number(width % 4 === 0) },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
    });
  },
  scatterAdd: ({ inputs: [x, offsets, order], outputs: [out], attrs: { index } }, gpu) => {
    reduceSegments(gpu, { x, offsets, order, out, index, combine: 'sum' });
  },
  gatherSum: ({ inputs: [x, from, offsets, order], outputs: [out], attrs: { to } }, gpu) => {
    reduceSegments(gpu, { x, offsets, order, ids: from, out, index: to, combine: 'sum' });
  },
};
