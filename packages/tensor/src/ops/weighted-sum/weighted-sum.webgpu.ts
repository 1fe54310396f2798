import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { segmentDispatches } from '../segment/segment-dispatch.webgpu.ts';

export const weightedSumKernels = {
  weightedSum: ({ w, x, from, to }, { out }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    const headWidth = width / sizeOf(w.shape.slice(1));
    for (const pass of segmentDispatches(to, width, headWidth)) {
      gpu.dispatch(shaders.weightedSum, {
        ...pass,
        buffers: { w, x, offsets: to.offsets, order: to.order, ids: from?.ids ?? to.order, out },
        params: { ...pass.params, head_width: headWidth },
        constants: { ...pass.constants, through: from ? 'ids' : 'rows' },
        flops: 2 * to.length * width,
      });
    }
  },
  gatherDot: ({ x, y, xRows, yRows }, { out }, gpu, { heads }) => {
    const count = sizeOf(out.shape);
    const headWidth = sizeOf(x.shape.slice(1)) / sizeOf(heads);
    gpu.dispatch(shaders.gatherDot, {
      buffers: { x, y, x_ids: xRows.ids, y_ids: (yRows ?? xRows).ids, out },
      params: { count, heads: sizeOf(heads), head_width: headWidth },
      constants: { through: yRows ? 'ids' : 'rows', in_fours: Number(headWidth % 4 === 0) },
      workgroups: groupsOf(count, 64),
      flops: 2 * count * headWidth,
    });
  },
  gatherMul: ({ x, y, xRows, yRows }, { out }, gpu) => {
    const count = sizeOf(out.shape);
    const width = sizeOf(y.shape.slice(1));
    gpu.dispatch(shaders.gatherMul, {
      buffers: { x, y, x_ids: (xRows ?? yRows).ids, y_ids: yRows.ids, out },
      params: { count, width },
      constants: { through: xRows ? 'ids' : 'rows', in_fours: Number(width % 4 === 0) },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
      flops: count,
    });
  },
} satisfies Partial<GpuKernelTable>;
