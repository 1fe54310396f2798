/** The form of a WebGPU kernel, built in or a user's own: host code that dispatches shaders. Without types of the DOM. */
import type { DeviceBuffer, KernelTensor } from '../../core/backend.ts';
import type { OperandKinds, OutputKinds, Rows, Values } from '../../core/operands.ts';
import type { Shader, ShaderConstants, ShaderParams } from './shader.ts';

/** One dispatch of a shader, by the names in its WGSL. */
export interface Dispatch<
  Buffers extends string,
  Params extends ShaderParams,
  Constants extends ShaderConstants,
  Buffer extends DeviceBuffer = DeviceBuffer,
> {
  readonly buffers: Readonly<Record<Buffers, Buffer>>;
  readonly params: Params;
  /** Of `override` constants; those left out have the value that the WGSL gives them. */
  readonly constants?: Readonly<Partial<Constants>>;
  /**
   * Any number: split over two dimensions where one cannot hold it. Kernels count in both:
   * `workgroup_id.y * num_workgroups.x + workgroup_id.x`.
   */
  readonly workgroups: number;
  /** Floating-point operations, for the profiler. */
  readonly flops?: number;
}

/** What a kernel does its work through. Dispatches run in the order in which they are made. */
export interface WebGpuLauncher<Buffer extends DeviceBuffer = DeviceBuffer> {
  dispatch<Buffers extends string, Params extends ShaderParams, Constants extends ShaderConstants>(
    shader: Shader<Buffers, Params, Constants>,
    call: Dispatch<NoInfer<Buffers>, NoInfer<Params>, NoInfer<Constants>, Buffer>,
  ): void;
  /** Room for `length` numbers until this call of the kernel is over. */
  scratch(length: number): Buffer;
}

/** What an op outside the registry gives as `kernels: { webgpu }`. */
export type WebGpuKernel<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> = (
  operands: Values<Operands, KernelTensor, Rows<KernelTensor>>,
  outputs: Values<Outputs, KernelTensor>,
  gpu: WebGpuLauncher,
  attrs: Attrs,
) => void;
