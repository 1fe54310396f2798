import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { lanesFor } from '../reduce/reduce.webgpu.ts';
import type { softmaxOp } from './softmax.op.ts';

const softmax =
  (logForm: boolean): GpuKernel<typeof softmaxOp> =>
  ({ x }, { y }, gpu) => {
    const n = x.shape.at(-1)!;
    const rows = sizeOf(x.shape) / n;
    // About two fours for each lane.
    const lanes = lanesFor(n / 2);
    gpu.dispatch(shaders.softmax, {
      buffers: { x, y },
      params: { rows, n },
      constants: { lanes, log_form: Number(logForm), in_fours: Number(n % 4 === 0) },
      workgroups: groupsOf(rows, 256 / lanes),
      flops: 5 * rows * n,
    });
  };

export const softmaxKernels = { softmax: softmax(false), logSoftmax: softmax(true) };
