import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { reduceBuffer } from '../reduce/reduce.webgpu.ts';
import { segmentDispatches, slicesOf } from '../segment/segment-dispatch.webgpu.ts';

/** Invocations that share an edge: about one for two (or two fours of) columns. */
function lanesPerEdge(columns: number): number {
  return Math.min(16, 2 ** Math.max(0, Math.floor(Math.log2(columns / 2))));
}

export const edgeDotKernels = {
  edgeDot: ({ x, y, weight, bias, senders, receivers, types }, { out }, gpu) => {
    const d = x.shape[1];
    const edges = out.shape[0];
    const inFours = d % 4 === 0;
    const lanes = lanesPerEdge(inFours ? d / 4 : d);
    gpu.dispatch(shaders.edgeDot, {
      buffers: {
        x: x.buffer,
        y: y.buffer,
        weight: weight.buffer,
        bias: bias.buffer,
        senders: senders.ids.buffer,
        receivers: receivers.ids.buffer,
        types: types.ids.buffer,
        out: out.buffer,
      },
      params: { edges, d },
      constants: { lanes, in_fours: Number(inFours) },
      workgroups: groupsOf(edges, 64 / lanes),
      flops: 6 * edges * d,
    });
  },
  edgeDotRowsGrad: ({ g, other, weight, near, far, types }, { out }, gpu, { side }) => {
    const d = other.shape[1];
    const inFours = d % 4 === 0;
    const units = inFours ? d / 4 : d;
    for (const { lanes, shortest, longest } of segmentDispatches(near)) {
      gpu.dispatch(shaders.edgeDotRowsGrad, {
        buffers: {
          g: g.buffer,
          other: other.buffer,
          weight: weight.buffer,
          far: far.ids.buffer,
          types: types.ids.buffer,
          offsets: near.offsets.buffer,
          order: near.order.buffer,
          out: out.buffer,
        },
        params: {
          rows: near.rows,
          d,
          units,
          part: side === 'senders' ? 0 : d,
          shortest,
          longest,
        },
        constants: { lanes, in_fours: Number(inFours) },
        workgroups: groupsOf(near.rows * units, 256 / lanes),
        flops: 4 * near.length * d,
      });
    }
  },
  edgeDotWeightGrad: ({ g, x, y, senders, receivers, types }, { out }, gpu) => {
    const d = x.shape[1];
    const inFours = d % 4 === 0;
    const units = inFours ? d / 4 : d;
    const { slices, depth } = slicesOf(types.longest, { depth: 256, most: 64 });
    const lanes = depth >= 32 ? 8 : 1;
    const target = slices === 1 ? out.buffer : gpu.scratch(slices * types.rows * 3 * d);
    gpu.dispatch(shaders.edgeDotWeightGrad, {
      buffers: {
        g: g.buffer,
        x: x.buffer,
        y: y.buffer,
        senders: senders.ids.buffer,
        receivers: receivers.ids.buffer,
        offsets: types.offsets.buffer,
        order: types.order.buffer,
        out: target,
      },
      params: { types: types.rows, d, units, slices, depth },
      constants: { lanes, in_fours: Number(inFours) },
      workgroups: groupsOf(slices * types.rows * units, 64 / lanes),
      flops: 7 * types.length * d,
    });
    if (slices === 1) return;
    reduceBuffer(gpu, { from: target, to: out.buffer, outer: 1, n: slices, inner: types.rows * 3 * d });
  },
} satisfies Partial<GpuKernelTable>;
