import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import type { ConstantsOf } from '../../backends/webgpu/override-constants.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import type { NoAttrs } from '../../core/op.ts';
import { sizeOf } from '../../core/shape.ts';
import type { ClampAttrs, LeakyReluAttrs, UnaryOp } from './unary.op.ts';

/** One of the functions that unary.wgsl names; `a` and `b` are its constants. */
const unary =
  <Attrs>(
    op: ConstantsOf<typeof shaders.unary>['op'],
    constantsOf: (attrs: Attrs) => { readonly a: number; readonly b: number } = () => ({ a: 0, b: 0 }),
  ): GpuKernel<UnaryOp<string, Attrs>> =>
  ({ x }, { y }, gpu, attrs) => {
    const size = sizeOf(y.shape);
    const count = Math.ceil(size / 4);
    gpu.dispatch(shaders.unary, {
      buffers: { x, y },
      params: { count, ...constantsOf(attrs) },
      constants: { op },
      workgroups: groupsOf(count, 64),
      flops: size,
    });
  };

export const unaryKernels = {
  neg: unary<NoAttrs>('neg'),
  exp: unary<NoAttrs>('exp'),
  log: unary<NoAttrs>('log'),
  sqrt: unary<NoAttrs>('sqrt'),
  square: unary<NoAttrs>('square'),
  abs: unary<NoAttrs>('abs'),
  reciprocal: unary<NoAttrs>('reciprocal'),
  tanh: unary<NoAttrs>('tanh'),
  sigmoid: unary<NoAttrs>('sigmoid'),
  relu: unary<NoAttrs>('relu'),
  leakyRelu: unary<LeakyReluAttrs>('leakyRelu', ({ slope }) => ({ a: slope, b: 0 })),
  softplus: unary<NoAttrs>('softplus'),
  clamp: unary<ClampAttrs>('clamp', ({ min, max }) => ({ a: min, b: max })),
};
