import type { GpuKernelTable, GpuRows, GpuTensor, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { reduceSegments } from '../segment/segment.webgpu.ts';

/** y = the rows of x that `ids` name; added to what y has, or tanh of that, if so told. */
export function gatherRows(
  x: GpuTensor,
  { ids }: GpuRows,
  y: GpuTensor,
  gpu: Launcher,
  { adds = false, acts = false } = {},
): void {
  const width = sizeOf(x.shape.slice(1));
  const count = sizeOf(y.shape);
  gpu.dispatch(shaders.gather, {
    buffers: { x, ids, out: y },
    params: { count, width },
    constants: { in_fours: Number(width % 4 === 0), adds: Number(adds), acts: Number(acts) },
    workgroups: groupsOf(Math.ceil(count / 4), 64),
  });
}

export const gatherKernels = {
  gather: ({ x, index }, { y }, gpu) => {
    gatherRows(x, index, y, gpu);
  },
  scatterAdd: ({ x, index }, { y }, gpu) => {
    const order = index.sorted ? undefined : index.order;
    reduceSegments(gpu, { x, order, out: y, index, combine: 'sum' });
  },
  gatherSum: ({ x, from, to }, { y }, gpu) => {
    reduceSegments(gpu, { x, order: to.order, ids: from.ids, out: y, index: to, combine: 'sum' });
  },
} satisfies Partial<GpuKernelTable>;
