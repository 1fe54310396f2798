/** What a kernel is to this backend: host code that chooses shaders, parameters and the number of workgroups. */
import type { KernelCall, KernelTensor } from '../../core/backend.ts';
import type { AttrsOf } from '../../core/op.ts';
import type { OpName, registry } from '../../ops/registry.ts';
import type { GpuBuffer } from './gpu-buffer.ts';
import type { Shader, ShaderConstants, ShaderParams } from './shader.ts';

export interface Dispatch<
  Buffers extends string,
  Params extends ShaderParams,
  Constants extends ShaderConstants,
> {
  readonly buffers: Readonly<Record<Buffers, GpuBuffer>>;
  readonly params: Params;
  readonly constants?: Readonly<Partial<Constants>>;
  /** Any number: split over two dimensions where one cannot hold it. Kernels count in both. */
  readonly workgroups: number;
  /** Floating-point operations, for the profiler. */
  readonly flops?: number;
}

/** What a kernel does its work through. */
export interface Launcher {
  dispatch<Buffers extends string, Params extends ShaderParams, Constants extends ShaderConstants>(
    shader: Shader<Buffers, Params, Constants>,
    call: Dispatch<Buffers, Params, Constants>,
  ): void;
  /** Room for `length` numbers until this call of the kernel is over. */
  scratch(length: number): GpuBuffer;
}

export type GpuTensor = KernelTensor<GpuBuffer>;
export type GpuKernel<Attrs> = (call: KernelCall<GpuTensor, Attrs>, gpu: Launcher) => void;

/** The backend's kernels. An op without one does not compile. */
export type GpuKernelTable = {
  readonly [Name in OpName]: GpuKernel<AttrsOf<(typeof registry)[Name]>>;
};

/** How many workgroups of `size` invocations hold one for each of `count` pieces of work. */
export function groupsOf(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}
