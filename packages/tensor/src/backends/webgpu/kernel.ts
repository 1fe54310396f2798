/** What a kernel is to this backend: host code that chooses shaders, parameters and the number of workgroups. */
import type { KernelTensor } from '../../core/backend.ts';
import type { KernelOf } from '../../core/op.ts';
import type { Rows } from '../../core/operands.ts';
import type { WebGpuLauncher } from '../../core/own-kernels.ts';
import type { KernelTable } from '../../ops/registry.ts';
import type { GpuBuffer } from './gpu-buffer.ts';

export type GpuTensor = KernelTensor<GpuBuffer>;
/** What a shader can be given: a tensor, or memory by itself. */
export type GpuOperand = GpuTensor | GpuBuffer;
/** What a kernel does its work through. */
export type Launcher = WebGpuLauncher<GpuBuffer, GpuOperand>;

export type GpuRows = Rows<GpuTensor>;
/** What an op dispatches. */
export type GpuKernel<Op> = KernelOf<Op, GpuBuffer, Launcher>;

/** The backend's kernels. An op without one does not compile. */
export type GpuKernelTable = KernelTable<GpuBuffer, Launcher>;

export function bufferOf(given: GpuOperand): GpuBuffer {
  return 'buffer' in given ? given.buffer : given;
}

/** How many workgroups of `size` invocations hold one for each of `count` pieces of work. */
export function groupsOf(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}

/** How many units a row has: of four neighbouring columns where its heads are a multiple of four wide, else of one. */
export function unitsOf(
  width: number,
  headWidth = width,
): { readonly units: number; readonly in_fours: number } {
  const inFours = headWidth % 4 === 0;
  return { units: inFours ? width / 4 : width, in_fours: Number(inFours) };
}
