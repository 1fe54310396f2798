/** Every op's kernel on WebGPU. */
import { adamUpdateKernel } from '../../ops/adam/adam-update.webgpu.ts';
import { addAllKernel } from '../../ops/add-all/add-all.webgpu.ts';
import { attendedSumKernels } from '../../ops/attended-sum/attended-sum.webgpu.ts';
import { castKernel } from '../../ops/cast/cast.webgpu.ts';
import { edgeDotKernels } from '../../ops/edge-dot/edge-dot.webgpu.ts';
import { binaryKernels } from '../../ops/elementwise/binary.webgpu.ts';
import { unaryKernels } from '../../ops/elementwise/unary.webgpu.ts';
import { fillKernel } from '../../ops/fill/fill.webgpu.ts';
import { gatherKernels } from '../../ops/gather/gather.webgpu.ts';
import { gruKernels } from '../../ops/gru-cell/gru.webgpu.ts';
import { linearKernels } from '../../ops/linear/linear.webgpu.ts';
import { matmulKernel } from '../../ops/matmul/matmul.webgpu.ts';
import { reduceKernels } from '../../ops/reduce/reduce.webgpu.ts';
import { scatterAllKernels } from '../../ops/scatter-all/scatter-all.webgpu.ts';
import { segmentKernels } from '../../ops/segment/segment.webgpu.ts';
import { stridedKernels } from '../../ops/shape/strided.webgpu.ts';
import { softmaxKernels } from '../../ops/softmax/softmax.webgpu.ts';
import { typedLinearKernels } from '../../ops/typed-linear/typed-linear.webgpu.ts';
import { weightedSumKernels } from '../../ops/weighted-sum/weighted-sum.webgpu.ts';
import { whereKernel } from '../../ops/where/where.webgpu.ts';
import type { GpuKernelTable } from './kernel.ts';

export const kernelTable: GpuKernelTable = {
  ...unaryKernels,
  ...binaryKernels,
  addAll: addAllKernel,
  where: whereKernel,
  cast: castKernel,
  fill: fillKernel,
  matmul: matmulKernel,
  ...linearKernels,
  ...reduceKernels,
  ...stridedKernels,
  ...softmaxKernels,
  ...gatherKernels,
  ...scatterAllKernels,
  ...segmentKernels,
  ...weightedSumKernels,
  ...attendedSumKernels,
  ...typedLinearKernels,
  ...edgeDotKernels,
  ...gruKernels,
  adamUpdate: adamUpdateKernel,
};
