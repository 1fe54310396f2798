/** The form of a user's own WebGPU kernel: `defineOp({ …, kernels: { webgpu: webGpuKernel({ … }) } })`. */
import type { KernelCall } from '../../core/backend.ts';
import type { TensorSpec } from '../../core/dtype.ts';
import { rejectUnknownOptions } from '../../core/errors.ts';

export interface WebGpuKernel<Attrs> {
  /**
   * WGSL with one compute entry point `main`. In group 0: inputs (`var<storage, read>`, or read_write for those the
   * op mutates), then outputs (`var<storage, read_write>`), then, if there are parameters, `var<uniform>` of them.
   * Every element takes 4 bytes: array<f32>, array<i32>, or array<u32> for masks. Buffers may be longer than the
   * tensor: guard by a count among the parameters, not by arrayLength.
   */
  readonly wgsl: string;
  /**
   * How many workgroups to run. More than fit into one dimension are split over x and y, so count both:
   * `workgroup_id.y * num_workgroups.x + workgroup_id.x`.
   */
  readonly workgroups: (call: KernelCall<TensorSpec, Attrs>) => number;
  /** The uniform's contents, at most 256 bytes, laid out as WGSL lays out the struct. */
  readonly params?: (
    call: KernelCall<TensorSpec, Attrs>,
  ) => ArrayBuffer | Float32Array | Int32Array | Uint32Array;
  /** Values of `override` constants. */
  readonly constants?: (call: KernelCall<TensorSpec, Attrs>) => Readonly<Record<string, number>>;
  /** Floating-point operations of a call, for the profiler. */
  readonly flops?: (call: KernelCall<TensorSpec, Attrs>) => number;
}

const known = new WeakSet<object>();

export function webGpuKernel<Attrs>(kernel: WebGpuKernel<Attrs>): WebGpuKernel<Attrs> {
  rejectUnknownOptions('webGpuKernel', kernel, ['wgsl', 'workgroups', 'params', 'constants', 'flops']);
  known.add(kernel);
  return kernel;
}

export function isWebGpuKernel(value: unknown): value is WebGpuKernel<unknown> {
  return typeof value === 'object' && value !== null && known.has(value);
}
