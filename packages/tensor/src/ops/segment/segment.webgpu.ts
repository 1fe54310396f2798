import type { GpuKernelTable, GpuRows, GpuTensor, Launcher } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { segmentDispatches } from './segment-dispatch.webgpu.ts';

interface SegmentReduction {
  readonly x: GpuTensor;
  readonly index: GpuRows;
  /** Entries in the order of their segment; absent if that is their own. */
  readonly order?: GpuTensor | undefined;
  /** Rows that entries stand for; absent if they are rows themselves. */
  readonly ids?: GpuTensor;
  readonly out: GpuTensor;
  readonly combine: 'sum' | 'max';
}

const widthOf = ({ shape }: GpuTensor): number => sizeOf(shape.slice(1));

/** out[s] = the sum or maximum of the rows of segment s. */
export function reduceSegments(
  gpu: Launcher,
  { x, index, order, ids, out, combine }: SegmentReduction,
): void {
  const { offsets } = index;
  const width = widthOf(x);
  for (const pass of segmentDispatches(index, width)) {
    gpu.dispatch(shaders.segmentReduce, {
      ...pass,
      buffers: { x, offsets, order: order ?? offsets, ids: ids ?? offsets, out },
      constants: { ...pass.constants, combine, through: ids ? 'ids' : order ? 'order' : 'rows' },
      flops: index.length * width,
    });
  }
}

export const segmentKernels = {
  segmentSum: ({ x, segments }, { y }, gpu) => {
    reduceSegments(gpu, { x, index: segments, out: y, combine: 'sum' });
  },
  segmentMax: ({ x, segments }, { y }, gpu) => {
    reduceSegments(gpu, { x, index: segments, out: y, combine: 'max' });
  },
  segmentSoftmax: ({ x, segments }, { y }, gpu) => {
    const width = widthOf(x);
    for (const pass of segmentDispatches(segments, width)) {
      gpu.dispatch(shaders.segmentSoftmax, {
        ...pass,
        buffers: { x, offsets: segments.offsets, y },
        flops: 5 * segments.length * width,
      });
    }
  },
  segmentSoftmaxGrad: ({ y, g, segments }, { dx }, gpu) => {
    const width = widthOf(y);
    for (const pass of segmentDispatches(segments, width)) {
      gpu.dispatch(shaders.segmentSoftmaxGrad, {
        ...pass,
        buffers: { y, g, offsets: segments.offsets, dx },
        flops: 4 * segments.length * width,
      });
    }
  },
} satisfies Partial<GpuKernelTable>;
