import type { GpuBuffer } from '../../backends/webgpu/gpu-buffer.ts';
import type {
  GpuKernelTable,
  GpuOperand,
  GpuRows,
  GpuTensor,
  Launcher,
} from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { slicesOfRows } from './linear.op.ts';

/** The kernels' tile of the result. */
const tile = 64;
const tiles = (extent: number): number => Math.ceil(extent / tile);

/** A matrix of n rows. */
export interface Part {
  readonly buffer: GpuBuffer;
  readonly width: number;
}

interface Product {
  readonly weight: GpuTensor;
  /** [m], or one for each row, of which `biasRows` has the numbers. */
  readonly bias: GpuTensor;
  readonly biasRows?: GpuRows | undefined;
  readonly y: GpuOperand;
  readonly n: number;
  readonly reset?: GpuOperand;
}

export const partOf = ({ buffer, shape }: GpuTensor): Part => ({ buffer, width: shape[1] });

const inFours = (...widths: readonly number[]): number => Number(widths.every((width) => width % 4 === 0));
const widthsOf = (parts: readonly Part[]): number[] => parts.map(({ width }) => width);
const total = (parts: readonly Part[]): number => parts.reduce((sum, { width }) => sum + width, 0);

/** y = [parts]·W + b, for up to three parts of n rows; with `reset` the gates of a GRU cell whose state is the last part. */
export function multiplyParts(
  gpu: Launcher,
  parts: readonly Part[],
  { weight, bias, biasRows, y, n, reset }: Product,
): void {
  const [x0, x1, x2] = [0, 1, 2].map((i) => (parts.at(i) ?? parts[0]).buffer);
  const [k, m] = weight.shape;
  const [tilesN, tilesM] = [tiles(n), tiles(m)];
  gpu.dispatch(shaders.linear, {
    buffers: {
      ...{ x0, x1, x2, weight, bias, y },
      bias_rows: biasRows?.ids ?? bias,
      reset: reset ?? gpu.scratch(1),
    },
    params: { n, m, k, tiles_n: tilesN, tiles_m: tilesM, widths: widthsOf(parts) },
    constants: {
      x_in_fours: inFours(...widthsOf(parts)),
      w_in_fours: inFours(m),
      as_gates: Number(reset !== undefined),
      by_row: Number(biasRows !== undefined),
    },
    workgroups: tilesN * tilesM,
    flops: 2 * n * m * k,
  });
}

/** [parts] = dy·Wᵀ, or += that. */
export function multiplyBack(
  gpu: Launcher,
  parts: readonly Part[],
  { dy, weight, n, adds }: { dy: GpuTensor; weight: GpuTensor; n: number; adds: boolean },
): void {
  // A buffer that is written to can be bound once only.
  const [dx0, dx1, dx2] = [0, 1, 2].map((i) => parts.at(i)?.buffer ?? gpu.scratch(1));
  const [k, m] = weight.shape;
  const [tilesN, tilesK] = [tiles(n), tiles(k)];
  gpu.dispatch(shaders.linearInputGrad, {
    buffers: { dy, weight, dx0, dx1, dx2 },
    params: { n, m, k, tiles_n: tilesN, tiles_k: tilesK, adds: Number(adds), widths: widthsOf(parts) },
    constants: { in_fours: inFours(m) },
    workgroups: tilesN * tilesK,
    flops: 2 * n * m * k,
  });
}

export const linearKernels = {
  linear: ({ x, weight, bias }, { y }, gpu) => {
    multiplyParts(gpu, [partOf(x)], { weight, bias, y, n: x.shape[0] });
  },
  linearWeightGrad: ({ xs, dy }, { dweight, dbias }, gpu) => {
    const parts = xs.map(partOf);
    const [x0, x1, x2] = [0, 1, 2].map((i) => (parts.at(i) ?? parts[0]).buffer);
    const [n, m] = dy.shape;
    const k = total(parts);
    const { slices, depth } = slicesOfRows(n);
    const [tilesK, tilesM] = [tiles(k + 1), tiles(m)];
    gpu.dispatch(shaders.linearWeightGrad, {
      buffers: { x0, x1, x2, dy, dw: dweight, db: dbias },
      params: { n, m, k, tiles_k: tilesK, tiles_m: tilesM, slices, depth, widths: widthsOf(parts) },
      constants: { x_in_fours: inFours(...widthsOf(parts)), dy_in_fours: inFours(m) },
      workgroups: tilesK * tilesM * slices,
      flops: 2 * n * m * k,
    });
  },
} satisfies Partial<GpuKernelTable>;
