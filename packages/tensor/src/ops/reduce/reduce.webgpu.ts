import type { GpuKernel, GpuKernelTable, GpuOperand, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { DType } from '../../core/dtype.ts';
import { collapse } from './collapse.ts';
import type { maxOp } from './max.op.ts';
import type { sumOp } from './sum.op.ts';

interface Reduction {
  readonly from: GpuOperand;
  readonly to: GpuOperand;
  readonly outer: number;
  readonly n: number;
  readonly inner: number;
  readonly dtype?: DType;
  readonly combine?: 'sum' | 'max';
}

/** Values that one lane adds up before its round ends, where there are few results and much to add. */
const valuesPerLane = 16;
/** With so many results (or fours of them) no axis has to be cut for the device to be busy. */
const enoughResults = 16384;

/** The power of two that lets each of so many lanes take about four values. */
export function lanesFor(n: number, most = 256): number {
  return Math.max(1, Math.min(most, 2 ** Math.floor(Math.log2(Math.max(n, 1) / 4))));
}

/** to [outer, inner] = the sum or maximum of from [outer, n, inner] over its middle axis, in as many rounds as it takes. */
export function reduceBuffer(
  gpu: Launcher,
  { from, to, outer, n, inner, dtype = 'float32', combine = 'sum' }: Reduction,
): void {
  // The kernel counts in fours along the innermost axis that is more than one value wide.
  const alongRows = inner === 1;
  const inFours = (alongRows ? n : inner) % 4 === 0;
  const width = inFours ? 4 : 1;
  const [terms, columns] = alongRows ? [n / width, 1] : [n, inner / width];
  // Wide results keep 32 neighbours together in a workgroup.
  const mostLanes = alongRows ? 256 : inner < 8 ? 64 : 8 * width;
  const lanes = lanesFor(terms, mostLanes);
  const isCut = lanes === mostLanes && outer * columns < enoughResults;
  const depth = isCut ? (lanes * valuesPerLane) / width : Math.max(terms, 1);
  const slices = Math.max(1, Math.ceil(terms / depth));
  const count = outer * slices * columns;
  const target = slices === 1 ? to : gpu.scratch(outer * slices * inner);
  gpu.dispatch(shaders.reduce, {
    buffers: { x: from, y: target },
    params: { count, n: terms, inner: columns, slices, depth },
    constants: {
      lanes,
      combine,
      dtype,
      lanes_first: Number(alongRows),
      in_fours: Number(inFours),
    },
    workgroups: groupsOf(count, 256 / lanes),
    flops: outer * n * inner,
  });
  if (slices > 1) reduceBuffer(gpu, { from: target, to, outer, n: slices, inner, dtype, combine });
}

const reduction =
  (combine: 'sum' | 'max'): GpuKernel<typeof sumOp | typeof maxOp> =>
  ({ x }, { y }, gpu, { axes }) => {
    reduceBuffer(gpu, {
      from: x,
      to: y,
      ...collapse(x.shape, axes),
      dtype: x.dtype,
      combine,
    });
  };

export const reduceKernels = {
  sum: reduction('sum'),
  max: reduction('max'),
  argmax: ({ x }, { y }, gpu, { axes }) => {
    const { outer, n, inner } = collapse(x.shape, axes);
    const lanes = lanesFor(n);
    gpu.dispatch(shaders.argmax, {
      buffers: { x, y },
      params: { count: outer * inner, n, inner },
      constants: { lanes, dtype: x.dtype },
      workgroups: groupsOf(outer * inner, 256 / lanes),
      flops: outer * n * inner,
    });
  },
} satisfies Partial<GpuKernelTable>;
