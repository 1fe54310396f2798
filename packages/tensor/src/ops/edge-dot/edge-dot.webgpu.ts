import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf, unitsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { reduceBuffer } from '../reduce/reduce.webgpu.ts';
import { lanesPerEdge, segmentDispatches, slicesOf } from '../segment/segment-dispatch.webgpu.ts';

export const edgeDotKernels = {
  edgeDot: ({ x, y, weight, bias, senders, receivers, types }, { out }, gpu) => {
    const d = x.shape[1];
    const edges = out.shape[0];
    const { lanes, in_fours } = lanesPerEdge(d);
    gpu.dispatch(shaders.edgeDot, {
      buffers: { x, y, weight, bias, senders: senders.ids, receivers: receivers.ids, types: types.ids, out },
      params: { edges, d },
      constants: { lanes, in_fours },
      workgroups: groupsOf(edges, 64 / lanes),
      flops: 6 * edges * d,
    });
  },
  edgeDotRowsGrad: ({ g, other, weight, near, far, types }, { out }, gpu, { side }) => {
    const d = other.shape[1];
    for (const pass of segmentDispatches(near, d)) {
      gpu.dispatch(shaders.edgeDotRowsGrad, {
        ...pass,
        buffers: {
          g,
          other,
          weight,
          far: far.ids,
          types: types.ids,
          offsets: near.offsets,
          order: near.order,
          out,
        },
        params: { ...pass.params, part: side === 'senders' ? 0 : d },
        flops: 4 * near.length * d,
      });
    }
  },
  edgeDotWeightGrad: ({ g, x, y, senders, receivers, types }, { out }, gpu) => {
    const d = x.shape[1];
    const { units, in_fours } = unitsOf(d);
    const { slices, depth } = slicesOf(types.longest, { depth: 256, most: 64 });
    const lanes = depth >= 32 ? 8 : 1;
    const target = slices === 1 ? out : gpu.scratch(slices * types.rows * 3 * d);
    gpu.dispatch(shaders.edgeDotWeightGrad, {
      buffers: {
        g,
        x,
        y,
        senders: senders.ids,
        receivers: receivers.ids,
        offsets: types.offsets,
        order: types.order,
        out: target,
      },
      params: { types: types.rows, d, units, slices, depth },
      constants: { lanes, in_fours },
      workgroups: groupsOf(slices * types.rows * units, 64 / lanes),
      flops: 7 * types.length * d,
    });
    if (slices === 1) return;
    reduceBuffer(gpu, { from: target, to: out, outer: 1, n: slices, inner: types.rows * 3 * d });
  },
} satisfies Partial<GpuKernelTable>;
