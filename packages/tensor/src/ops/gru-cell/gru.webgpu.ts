import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { NoAttrs } from '../../core/op.ts';
import type { Shape } from '../../core/shape.ts';

/** All four kernels have an invocation for each value of h [n, d]. */
const perState = ([n, d]: Shape): { params: { count: number; d: number }; workgroups: number } => ({
  params: { count: n * d, d },
  workgroups: groupsOf(n * d, 64),
});

export const gruKernels: {
  readonly gruGates: GpuKernel<NoAttrs>;
  readonly gruGatesGrad: GpuKernel<NoAttrs>;
  readonly gruOutput: GpuKernel<NoAttrs>;
  readonly gruOutputGrad: GpuKernel<NoAttrs>;
} = {
  gruGates: ({ inputs: [pre, bias, h], outputs: [gates, reset] }, gpu) => {
    const work = perState(h.shape);
    gpu.dispatch(shaders.gruGates, {
      buffers: {
        pre: pre.buffer,
        bias: bias.buffer,
        h: h.buffer,
        gates: gates.buffer,
        reset: reset.buffer,
      },
      ...work,
      flops: 11 * work.params.count,
    });
  },
  gruGatesGrad: ({ inputs: [dgates, dreset, gates, h], outputs: [dpre, dh] }, gpu) => {
    const work = perState(h.shape);
    gpu.dispatch(shaders.gruGatesGrad, {
      buffers: {
        dgates: dgates.buffer,
        dreset: dreset.buffer,
        gates: gates.buffer,
        h: h.buffer,
        dpre: dpre.buffer,
        dh: dh.buffer,
      },
      ...work,
      flops: 9 * work.params.count,
    });
  },
  gruOutput: ({ inputs: [pre, bias, gates, h], outputs: [next, candidate] }, gpu) => {
    const work = perState(h.shape);
    gpu.dispatch(shaders.gruOutput, {
      buffers: {
        pre: pre.buffer,
        bias: bias.buffer,
        gates: gates.buffer,
        h: h.buffer,
        next: next.buffer,
        candidate: candidate.buffer,
      },
      ...work,
      flops: 10 * work.params.count,
    });
  },
  gruOutputGrad: ({ inputs: [dnext, gates, h, candidate], outputs: [dpre, dgates, dh] }, gpu) => {
    const work = perState(h.shape);
    gpu.dispatch(shaders.gruOutputGrad, {
      buffers: {
        dnext: dnext.buffer,
        gates: gates.buffer,
        h: h.buffer,
        candidate: candidate.buffer,
        dpre: dpre.buffer,
        dgates: dgates.buffer,
        dh: dh.buffer,
      },
      ...work,
      flops: 8 * work.params.count,
    });
  },
};
