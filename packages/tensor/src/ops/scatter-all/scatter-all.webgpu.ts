import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { GatherPairAttrs } from './gather-pair.op.ts';
import type { ScatterAddAllAttrs } from './scatter-add-all.op.ts';

export const scatterAllKernels: {
  readonly scatterAddAll: GpuKernel<ScatterAddAllAttrs>;
  readonly gatherPair: GpuKernel<GatherPairAttrs>;
} = {
  scatterAddAll: ({ inputs, outputs: [out], attrs: { indices } }, gpu) => {
    const rows = out.shape[0];
    const width = sizeOf(out.shape.slice(1));
    const inFours = width % 4 === 0;
    const units = inFours ? width / 4 : width;
    let base = inputs.at(3 * indices.length)?.buffer;
    // With base and result, two terms are as many buffers as every device binds. Later rounds add to the earlier ones.
    for (let first = 0; first < indices.length; first += 2) {
      const [x0, offsets0, order0] = inputs.slice(3 * first).map(({ buffer }) => buffer);
      const terms = Math.min(2, indices.length - first);
      const [x1, offsets1, order1] = inputs.slice(3 * (first + terms - 1)).map(({ buffer }) => buffer);
      const target = first + 2 < indices.length ? gpu.scratch(rows * width) : out.buffer;
      gpu.dispatch(shaders.scatterAddAll, {
        buffers: { x0, offsets0, order0, x1, offsets1, order1, base: base ?? x0, out: target },
        params: { rows, width, units, terms },
        constants: { has_base: Number(base !== undefined), in_fours: Number(inFours) },
        workgroups: groupsOf(rows * units, 64),
        flops: width * (indices[first].length + (terms - 1) * indices[first + terms - 1].length),
      });
      base = target;
    }
  },
  gatherPair: ({ inputs: [x, ids0, , ids1], outputs: [out0, out1] }, gpu) => {
    const width = sizeOf(x.shape.slice(1));
    const [count0, count1] = [sizeOf(out0.shape), sizeOf(out1.shape)];
    const fours0 = Math.ceil(count0 / 4);
    gpu.dispatch(shaders.gatherPair, {
      buffers: {
        x: x.buffer,
        ids0: ids0.buffer,
        ids1: ids1.buffer,
        out0: out0.buffer,
        out1: out1.buffer,
      },
      params: { count0, count1, fours0, width },
      constants: { in_fours: Number(width % 4 === 0) },
      workgroups: groupsOf(fours0 + Math.ceil(count1 / 4), 64),
    });
  },
};
