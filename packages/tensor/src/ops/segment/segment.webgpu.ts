import type { GpuKernel, GpuTensor, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { IndexAttrs } from '../gather/gather.op.ts';
import { segmentDispatches } from './segment-dispatch.webgpu.ts';

interface SegmentReduction {
  readonly x: GpuTensor;
  readonly offsets: GpuTensor;
  /** Entries in the order of their segment; absent if that is their own. */
  readonly order?: GpuTensor;
  /** Rows that entries stand for; absent if they are rows themselves. */
  readonly ids?: GpuTensor;
  readonly out: GpuTensor;
  readonly index: RowIndex;
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
  { x, offsets, order, ids, out, index, combine }: SegmentReduction,
): void {
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

export const segmentKernels: {
  readonly segmentSum: GpuKernel<IndexAttrs>;
  readonly segmentMax: GpuKernel<IndexAttrs>;
  readonly segmentSoftmax: GpuKernel<IndexAttrs>;
  readonly segmentSoftmaxGrad: GpuKernel<IndexAttrs>;
} = {
  segmentSum: ({ inputs: [x, offsets], outputs: [out], attrs: { index } }, gpu) => {
    reduceSegments(gpu, { x, offsets, out, index, combine: 'sum' });
  },
  segmentMax: ({ inputs: [x, offsets], outputs: [out], attrs: { index } }, gpu) => {
    reduceSegments(gpu, { x, offsets, out, index, combine: 'max' });
  },
  segmentSoftmax: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }, gpu) => {
    const { width, inFours, units } = columnsOf(x);
    for (const { lanes, shortest, longest } of segmentDispatches(index)) {
      gpu.dispatch(shaders.segmentSoftmax, {
        buffers: { x: x.buffer, offsets: offsets.buffer, y: y.buffer },
        params: { segments: index.rows, width, units, shortest, longest },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(index.rows * units, 256 / lanes),
        flops: 5 * index.length * width,
      });
    }
  },
  segmentSoftmaxGrad: ({ inputs: [y, g, offsets], outputs: [dx], attrs: { index } }, gpu) => {
    const { width, inFours, units } = columnsOf(y);
    for (const { lanes, shortest, longest } of segmentDispatches(index)) {
      gpu.dispatch(shaders.segmentSoftmaxGrad, {
        buffers: { y: y.buffer, g: g.buffer, offsets: offsets.buffer, dx: dx.buffer },
        params: { segments: index.rows, width, units, shortest, longest },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(index.rows * units, 256 / lanes),
        flops: 4 * index.length * width,
      });
    }
  },
};
