import type { GpuKernelTable, GpuOperand } from '../../backends/webgpu/kernel.ts';
import { groupsOf, unitsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { gatherRows } from '../gather/gather.webgpu.ts';

export const scatterAllKernels = {
  scatterAddAll: ({ xs, indices, base: given }, { out }, gpu) => {
    const rows = out.shape[0];
    const width = sizeOf(out.shape.slice(1));
    const { units, in_fours } = unitsOf(width);
    let base: GpuOperand | undefined = given;
    // With base and result, two terms are as many buffers as every device binds. Later rounds add to the earlier ones.
    for (let first = 0; first < indices.length; first += 2) {
      const terms = Math.min(2, indices.length - first);
      const last = first + terms - 1;
      const [x0, x1] = [xs[first], xs[last]];
      const target = first + 2 < indices.length ? gpu.scratch(rows * width) : out;
      gpu.dispatch(shaders.scatterAddAll, {
        buffers: {
          x0,
          offsets0: indices[first].offsets,
          order0: indices[first].order,
          x1,
          offsets1: indices[last].offsets,
          order1: indices[last].order,
          base: base ?? x0,
          out: target,
        },
        params: { rows, width, units, terms },
        constants: { has_base: Number(base !== undefined), in_fours },
        workgroups: groupsOf(rows * units, 64),
        flops: width * (indices[first].length + (terms - 1) * indices[last].length),
      });
      base = target;
    }
  },
  gatherPair: ({ x, index0, index1 }, { out0, out1 }, gpu) => {
    gatherRows(x, index0, out0, gpu);
    gatherRows(x, index1, out1, gpu);
  },
} satisfies Partial<GpuKernelTable>;
