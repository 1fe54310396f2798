import { mergeAxes } from '../../backends/webgpu/axes.ts';
import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';
import { reduceBuffer } from '../reduce/reduce.webgpu.ts';
import type { matmulOp } from './matmul.op.ts';

/** The kernel's tile of y, and how deep it reads at a time. */
const tile = 64;
const tileDepth = 16;
/** So many workgroups keep a device busy; a long sum over fewer tiles is split. */
const enoughWorkgroups = 64;
const shallowestSplit = 256;

/** How many parts the sum over k is cut into, and how deep each is. */
function splitOf(tiles: number, k: number): { readonly splits: number; readonly depth: number } {
  const wanted = Math.min(Math.floor(enoughWorkgroups / tiles), Math.floor(k / shallowestSplit));
  if (wanted < 2) return { splits: 1, depth: Math.max(k, 1) };
  const depth = Math.ceil(k / wanted / tileDepth) * tileDepth;
  return { splits: Math.ceil(k / depth), depth };
}

export const matmulKernel: GpuKernel<typeof matmulOp> = ({ a, b }, { y }, gpu, attrs) => {
  const [n, m] = y.shape.slice(-2);
  const k = a.shape.at(attrs.transposeA ? -2 : -1)!;
  const batchShape = y.shape.slice(0, -2);
  const batch = sizeOf(batchShape);
  const { extents, strides } = mergeAxes(
    'matmul',
    batchShape,
    [a, b].map(({ shape }) => broadcastStrides(shape.slice(0, -2), batchShape)),
  );
  const [tilesN, tilesM] = [Math.ceil(n / tile), Math.ceil(m / tile)];
  const { splits, depth } = splitOf(tilesN * tilesM * batch, k);
  const target = splits === 1 ? y : gpu.scratch(splits * batch * n * m);
  gpu.dispatch(shaders.matmul, {
    buffers: { a, b, y: target },
    params: {
      n,
      m,
      k,
      tiles_n: tilesN,
      tiles_m: tilesM,
      batch,
      batch_rank: extents.length,
      splits,
      split_depth: depth,
      batch_extents: extents,
      a_strides: strides[0],
      b_strides: strides[1],
    },
    constants: {
      transpose_a: Number(attrs.transposeA),
      transpose_b: Number(attrs.transposeB),
      a_in_fours: Number((attrs.transposeA ? n : k) % 4 === 0),
      b_in_fours: Number((attrs.transposeB ? k : m) % 4 === 0),
    },
    workgroups: tilesN * tilesM * batch * splits,
    flops: 2 * batch * n * m * k,
  });
  if (splits === 1) return;
  reduceBuffer(gpu, { from: target, to: y, outer: 1, n: splits, inner: batch * n * m });
};
