import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf, unitsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { Shape } from '../../core/shape.ts';
import { multiplyBack, multiplyParts, partOf } from '../linear/linear.webgpu.ts';

/** All passes have an invocation for each four values of h [n, d], or for each one. */
function perUnit([n, d]: Shape) {
  const { units, in_fours } = unitsOf(n * d, d);
  return {
    params: { units, d },
    constants: { in_fours },
    workgroups: groupsOf(units, 64),
  };
}

export const gruKernels = {
  gruCell: (
    { gateWeight, gateBias, candidateWeight, candidateBias, biasRows, h, xs },
    { next, gates, reset, candidate },
    gpu,
  ) => {
    const [n, d] = h.shape;
    const parts = xs.map(partOf);
    const pass = perUnit(h.shape);
    multiplyParts(gpu, [...parts, partOf(h)], {
      weight: gateWeight,
      bias: gateBias,
      biasRows,
      y: gates,
      n,
      reset,
    });
    const pre = gpu.scratch(n * d);
    const ofReset = [...parts, partOf(reset)];
    multiplyParts(gpu, ofReset, { weight: candidateWeight, bias: candidateBias, biasRows, y: pre, n });
    gpu.dispatch(shaders.gruOutput, {
      buffers: { pre, gates, h, next, candidate },
      ...pass,
      flops: 9 * n * d,
    });
  },
  gruCellGrad: (
    { gateWeight, candidateWeight, dnext, gates, candidate, h },
    { ofGates, ofCandidate, dh, dxs },
    gpu,
  ) => {
    const [n, d] = h.shape;
    const parts = dxs.map(partOf);
    const pass = perUnit(h.shape);
    const saved = { dnext, gates, h };
    gpu.dispatch(shaders.gruOutputGrad, {
      buffers: { ...saved, candidate, of_candidate: ofCandidate, of_gates: ofGates },
      ...pass,
      flops: 7 * n * d,
    });
    const dreset = gpu.scratch(n * d);
    const ofReset = [...parts, { buffer: dreset, width: d }];
    multiplyBack(gpu, ofReset, { dy: ofCandidate, weight: candidateWeight, n, adds: false });
    gpu.dispatch(shaders.gruGatesGrad, {
      buffers: { ...saved, dreset, of_gates: ofGates, dh },
      ...pass,
      flops: 7 * n * d,
    });
    multiplyBack(gpu, [...parts, partOf(dh)], { dy: ofGates, weight: gateWeight, n, adds: true });
  },
} satisfies Partial<GpuKernelTable>;
