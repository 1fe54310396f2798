import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { NoAttrs } from '../../core/op.ts';
import { sizeOf } from '../../core/shape.ts';
import type { ClampAttrs, LeakyReluAttrs } from './unary.op.ts';

/** `op` is the number of the function in unary.wgsl; `a` and `b` are its constants. */
const unary =
  <Attrs>(
    op: number,
    constantsOf: (attrs: Attrs) => { readonly a: number; readonly b: number } = () => ({ a: 0, b: 0 }),
  ): GpuKernel<Attrs> =>
  ({ inputs: [x], outputs: [y], attrs }, gpu) => {
    const size = sizeOf(y.shape);
    const count = Math.ceil(size / 4);
    gpu.dispatch(shaders.unary, {
      buffers: { x: x.buffer, y: y.buffer },
      params: { count, ...constantsOf(attrs) },
      constants: { op },
      workgroups: groupsOf(count, 64),
      flops: size,
    });
  };

export const unaryKernels = {
  neg: unary<NoAttrs>(0),
  exp: unary<NoAttrs>(1),
  log: unary<NoAttrs>(2),
  sqrt: unary<NoAttrs>(3),
  square: unary<NoAttrs>(4),
  abs: unary<NoAttrs>(5),
  reciprocal: unary<NoAttrs>(6),
  tanh: unary<NoAttrs>(7),
  sigmoid: unary<NoAttrs>(8),
  relu: unary<NoAttrs>(9),
  leakyRelu: unary<LeakyReluAttrs>(10, ({ slope }) => ({ a: slope, b: 0 })),
  softplus: unary<NoAttrs>(11),
  clamp: unary<ClampAttrs>(12, ({ min, max }) => ({ a: min, b: max })),
};
