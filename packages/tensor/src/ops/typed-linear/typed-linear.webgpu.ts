import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { reduceBuffer } from '../reduce/reduce.webgpu.ts';
import { slicesOf } from '../segment/segment-dispatch.webgpu.ts';

/** The kernels' tile of rows and columns. */
const tile = 32;

export const typedLinearKernels = {
  typedLinear: ({ x, weight, types }, { y }, gpu, { transposed }) => {
    const [rows, width] = x.shape;
    const outWidth = y.shape[1];
    const tiles = Math.ceil(outWidth / tile);
    gpu.dispatch(shaders.typedLinear, {
      buffers: { x, weight, ids: types.ids, offsets: types.offsets, order: types.order, y },
      params: { rows, width, out_width: outWidth, tiles },
      constants: {
        transposed: Number(transposed),
        x_in_fours: Number(width % 4 === 0),
        weight_in_fours: Number((transposed ? width : outWidth) % 4 === 0),
      },
      workgroups: Math.ceil(rows / tile) * tiles,
      flops: 2 * rows * width * outWidth,
    });
  },
  typedOuter: ({ a, b, types: index }, { y: out }, gpu) => {
    const [types, n, m] = out.shape;
    const { offsets, order } = index;
    const [tilesN, tilesM] = [Math.ceil(n / tile), Math.ceil(m / tile)];
    const { slices, depth } = slicesOf(index.longest, { depth: 512, most: 32 });
    const target = slices === 1 ? out : gpu.scratch(slices * types * n * m);
    gpu.dispatch(shaders.typedOuter, {
      buffers: { a, b, offsets, order, out: target },
      params: { types, n, m, tiles_n: tilesN, tiles_m: tilesM, slices, depth },
      constants: { a_in_fours: Number(n % 4 === 0), b_in_fours: Number(m % 4 === 0) },
      workgroups: tilesN * tilesM * types * slices,
      flops: 2 * index.length * n * m,
    });
    if (slices === 1) return;
    reduceBuffer(gpu, { from: target, to: out, outer: 1, n: slices, inner: types * n * m });
  },
} satisfies Partial<GpuKernelTable>;
