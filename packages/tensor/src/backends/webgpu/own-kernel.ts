/** The form of a user's own WebGPU kernel: `defineOp({ …, kernels: { webgpu: webGpuKernel({ … }) } })`. */
import type { TensorSpec } from '../../core/dtype.ts';
import { rejectUnknownOptions } from '../../core/errors.ts';
import type { OperandKinds, OutputKinds, Rows, Values } from '../../core/operands.ts';

/** What a kernel knows of a call on the host: shapes, lengths and attributes. */
type OfCall<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs, Result> = (
  operands: Values<Operands, TensorSpec, Rows<TensorSpec>>,
  outputs: Values<Outputs, TensorSpec>,
  attrs: Attrs,
) => Result;

/** A user's own WebGPU kernel: its code, how many workgroups it takes, and its parameters. */
export interface WebGpuKernel<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs> {
  /**
   * WGSL with one compute entry point `main`. In group 0: operands (`var<storage, read>`, or read_write for those the
   * op mutates; an index is three, ids, offsets and order), then outputs (`var<storage, read_write>`), then, if there
   * are parameters, `var<uniform>` of them.
   * Every element takes 4 bytes: array<f32>, array<i32>, or array<u32> for masks. Buffers may be longer than the
   * tensor: guard by a count among the parameters, not by arrayLength.
   */
  readonly wgsl: string;
  /**
   * How many workgroups to run. More than fit into one dimension are split over x and y, so count both:
   * `workgroup_id.y * num_workgroups.x + workgroup_id.x`.
   */
  readonly workgroups: OfCall<Operands, Outputs, Attrs, number>;
  /** The uniform's contents, at most 256 bytes, laid out as WGSL lays out the struct. */
  readonly params?: OfCall<Operands, Outputs, Attrs, ArrayBuffer | Float32Array | Int32Array | Uint32Array>;
  /** Values of `override` constants. */
  readonly constants?: OfCall<Operands, Outputs, Attrs, Readonly<Record<string, number>>>;
  /** Floating-point operations of a call, for the profiler. */
  readonly flops?: OfCall<Operands, Outputs, Attrs, number>;
}

const known = new WeakSet<object>();

/**
 * Checks a user's own WebGPU kernel, for `kernels` of `defineOp`.
 *
 * @example
 * import { readFileSync } from 'node:fs';
 * const kernel = webGpuKernel<{ x: 'tensor' }, { y: 'tensor' }, object>({
 *   wgsl: readFileSync('double.wgsl', 'utf8'),
 *   workgroups: ({ x }) => x.shape[0],
 * });
 */
export function webGpuKernel<Operands extends OperandKinds, Outputs extends OutputKinds, Attrs>(
  kernel: WebGpuKernel<Operands, Outputs, Attrs>,
): WebGpuKernel<Operands, Outputs, Attrs> {
  rejectUnknownOptions('webGpuKernel', kernel, ['wgsl', 'workgroups', 'params', 'constants', 'flops']);
  known.add(kernel);
  return kernel;
}

/** One whose op is not known when this is compiled. */
export type AnyWebGpuKernel = WebGpuKernel<never, never, never>;

export function isWebGpuKernel(value: unknown): value is AnyWebGpuKernel {
  return typeof value === 'object' && value !== null && known.has(value);
}
