/** The forms of the kernels that a user's own op brings along: plain loops, and host code that dispatches shaders. */
import type { DeviceBuffer, KernelTensor } from './backend.ts';
import type { NdArray } from './dtype.ts';
import type { OperandKinds, OutputKinds, Rows, Values } from './operands.ts';
import type { Shader, ShaderConstants, ShaderParams } from './shader.ts';

/** Kernels that an op outside the registry brings along, by backend. */
export interface OwnKernels<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> {
  /** Called with views of linear memory, on one thread; the op's own reference has this form. */
  readonly wasm?: HostKernel<Operands, Outputs, Attrs> | undefined;
  readonly webgpu?: WebGpuKernel<Operands, Outputs, Attrs> | undefined;
}

/** Plain loops over host arrays. */
export type HostKernel<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> = (
  operands: Values<Operands, NdArray, Rows<NdArray>>,
  outputs: Values<Outputs, NdArray>,
  attrs: Attrs,
) => void;

/** The same of an op that is not known. */
export type AnyHostKernel = (operands: never, outputs: never, attrs: never) => void;

/** One dispatch of a shader, by the names in its WGSL. */
export interface Dispatch<
  Buffers extends string,
  Params extends ShaderParams,
  Constants extends ShaderConstants,
  Buffer = DeviceBuffer,
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

/** What a kernel does its work through. Dispatches run in the order in which they are made; `Given` is what shaders take. */
export interface WebGpuLauncher<Buffer extends DeviceBuffer = DeviceBuffer, Given = Buffer> {
  dispatch<Buffers extends string, Params extends ShaderParams, Constants extends ShaderConstants>(
    shader: Shader<Buffers, Params, Constants>,
    call: Dispatch<NoInfer<Buffers>, NoInfer<Params>, NoInfer<Constants>, Given>,
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
