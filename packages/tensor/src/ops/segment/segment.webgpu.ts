import type { GpuKernelTable, GpuRows, GpuTensor, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
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

/** A unit of work is four columns of a segment where rows are a multiple of four wide, else one. */
function columnsOf({ shape }: GpuTensor): {
  readonly width: number;
  readonly inFours: boolean;
  readonly units: number;
} {
  const width = sizeOf(shape.slice(1));
  const inFours = width % 4 === 0;
  return { width, inFours, units: inFours ? width / 4 : width };
}

/** out[s] = the sum or maximum of the rows of segment s. */
export function reduceSegments(
  gpu: Launcher,
  { x, index, order, ids, out, combine }: SegmentReduction,
): void {
  const { offsets } = index;
  const { width, inFours, units } = columnsOf(x);
  for (const { lanes, shortest, longest } of segmentDispatches(index)) {
    gpu.dispatch(shaders.segmentReduce, {
      buffers: {
        x: x.buffer,
        offsets: offsets.buffer,
        order: (order ?? offsets).buffer,
        ids: (ids ?? offsets).buffer,
        out: out.buffer,
      },
      params: { segments: index.rows, width, units, shortest, longest },
      constants: {
        lanes,
        combine,
        through: ids ? 'ids' : order ? 'order' : 'rows',
        in_fours: Number(inFours),
      },
      workgroups: groupsOf(index.rows * units, 256 / lanes),
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
    const { width, inFours, units } = columnsOf(x);
    for (const { lanes, shortest, longest } of segmentDispatches(segments)) {
      gpu.dispatch(shaders.segmentSoftmax, {
        buffers: { x: x.buffer, offsets: segments.offsets.buffer, y: y.buffer },
        params: { segments: segments.rows, width, units, shortest, longest },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(segments.rows * units, 256 / lanes),
        flops: 5 * segments.length * width,
      });
    }
  },
  segmentSoftmaxGrad: ({ y, g, segments }, { dx }, gpu) => {
    const { width, inFours, units } = columnsOf(y);
    for (const { lanes, shortest, longest } of segmentDispatches(segments)) {
      gpu.dispatch(shaders.segmentSoftmaxGrad, {
        buffers: { y: y.buffer, g: g.buffer, offsets: segments.offsets.buffer, dx: dx.buffer },
        params: { segments: segments.rows, width, units, shortest, longest },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(segments.rows * units, 256 / lanes),
        flops: 4 * segments.length * width,
      });
    }
  },
} satisfies Partial<GpuKernelTable>;
