/** Kernels that only move values: all of them copy along strides, or turn matrices. */
import { mergeAxes } from '../../backends/webgpu/axes.ts';
import type { Walk } from '../../backends/webgpu/axes.ts';
import type { GpuKernelTable, GpuOperand, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { broadcastStrides, sizeOf, stridesOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import { fillBuffer } from '../fill/fill.webgpu.ts';

interface Copy {
  readonly from: GpuOperand;
  readonly to: GpuOperand;
  readonly shape: Shape;
  readonly inStrides: readonly number[];
  readonly outStrides: readonly number[];
  readonly inStart?: number;
  readonly outStart?: number;
}

/** to[outStart + i·outStrides] = from[inStart + i·inStrides] for every index i of `shape`. */
export function copyStrided(
  op: string,
  gpu: Launcher,
  { from, to, shape, inStrides, outStrides, inStart = 0, outStart = 0 }: Copy,
): void {
  const count = sizeOf(shape);
  if (count === 0) return;
  const walk = mergeAxes(op, shape, [inStrides, outStrides]);
  const extents = [...walk.extents];
  const [ins, outs] = walk.strides.map((strides) => [...strides]);
  const inFours = staysInFours(extents, [ins, outs], [inStart, outStart]);
  const lanes = inFours ? 4 : 1;
  if (inFours) {
    extents[extents.length - 1] /= 4;
    for (const strides of [ins, outs]) {
      for (let axis = 0; axis < strides.length - 1; axis++) strides[axis] /= 4;
    }
  }
  gpu.dispatch(inFours ? shaders.stridedFours : shaders.strided, {
    buffers: { x: from, out: to },
    params: {
      count: count / lanes,
      rank: extents.length,
      in_start: inStart / lanes,
      out_start: outStart / lanes,
      extents,
      in_strides: ins,
      out_strides: outs,
    },
    workgroups: groupsOf(count / lanes, 64),
  });
}

/** Whether the innermost axis is dense on both sides, and every row of it begins and ends on a multiple of four. */
function staysInFours(
  extents: readonly number[],
  strides: readonly (readonly number[])[],
  starts: readonly number[],
): boolean {
  const dense = strides.every((s) => s.at(-1) === 1 && s.slice(0, -1).every((stride) => stride % 4 === 0));
  return dense && (extents.at(-1) ?? 1) % 4 === 0 && starts.every((start) => start % 4 === 0);
}

interface Matrices {
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
}

/** transpose.wgsl's tile, and the shortest side for which it pays. */
const tile = 32;
const shortestSide = 16;

/** The matrices that come out, if all a permutation does is to turn each of them. */
function turnedMatrices({ extents, strides: [ins] }: Walk): Matrices | undefined {
  const [batch, rows, columns] = extents.length === 2 ? [1, ...extents] : extents;
  const turns = extents.length >= 2 && extents.length <= 3 && ins.at(-2) === 1;
  return turns && Math.min(rows, columns) >= shortestSide ? { batch, rows, columns } : undefined;
}

function transposeMatrices(
  gpu: Launcher,
  { from, to, batch, rows, columns }: Matrices & { readonly from: GpuOperand; readonly to: GpuOperand },
): void {
  const [tilesRows, tilesColumns] = [Math.ceil(rows / tile), Math.ceil(columns / tile)];
  gpu.dispatch(shaders.transpose, {
    buffers: { x: from, out: to },
    params: { rows, columns, batch, tiles_rows: tilesRows, tiles_columns: tilesColumns },
    workgroups: batch * tilesRows * tilesColumns,
  });
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((total, value, i) => total + value * b[i], 0);

export const stridedKernels = {
  permute: ({ x }, { y }, gpu, { axes }) => {
    const strides = stridesOf(x.shape);
    const inStrides = axes.map((axis) => strides[axis]);
    const outStrides = stridesOf(y.shape);
    const turned = turnedMatrices(mergeAxes('permute', y.shape, [inStrides, outStrides]));
    if (turned) transposeMatrices(gpu, { from: x, to: y, ...turned });
    else copyStrided('permute', gpu, { from: x, to: y, shape: y.shape, inStrides, outStrides });
  },
  broadcastTo: ({ x }, { y }, gpu) => {
    copyStrided('broadcastTo', gpu, {
      from: x,
      to: y,
      shape: y.shape,
      inStrides: broadcastStrides(x.shape, y.shape),
      outStrides: stridesOf(y.shape),
    });
  },
  // A dispatch per part: any number of parts, two buffers in each.
  concat: ({ xs }, { y }, gpu, { axis }) => {
    const outStrides = stridesOf(y.shape);
    let begin = 0;
    for (const x of xs) {
      copyStrided('concat', gpu, {
        from: x,
        to: y,
        shape: x.shape,
        inStrides: stridesOf(x.shape),
        outStrides,
        outStart: begin * outStrides[axis],
      });
      begin += x.shape[axis];
    }
  },
  slice: ({ x }, { y }, gpu, { starts }) => {
    const inStrides = stridesOf(x.shape);
    copyStrided('slice', gpu, {
      from: x,
      to: y,
      shape: y.shape,
      inStrides,
      outStrides: stridesOf(y.shape),
      inStart: dot(starts, inStrides),
    });
  },
  pad: ({ x }, { y }, gpu, { padding, value }) => {
    fillBuffer(gpu, y, value);
    const outStrides = stridesOf(y.shape);
    copyStrided('pad', gpu, {
      from: x,
      to: y,
      shape: x.shape,
      inStrides: stridesOf(x.shape),
      outStrides,
      outStart: dot(
        padding.map(([before]) => before),
        outStrides,
      ),
    });
  },
} satisfies Partial<GpuKernelTable>;
