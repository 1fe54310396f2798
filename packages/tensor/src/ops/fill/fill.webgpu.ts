import type { GpuKernel, GpuTensor, Launcher } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import type { fillOp } from './fill.op.ts';

/** The four bytes of a value, as WGSL sees them in a u32. */
function bitsOf(value: number, isFloat: boolean): number {
  const bytes = new DataView(new ArrayBuffer(4));
  if (isFloat) bytes.setFloat32(0, value);
  else bytes.setInt32(0, value);
  return bytes.getUint32(0);
}

export function fillBuffer(gpu: Launcher, y: GpuTensor, value: number): void {
  const count = Math.ceil(sizeOf(y.shape) / 4);
  gpu.dispatch(shaders.fill, {
    buffers: { y },
    params: { count, bits: bitsOf(value, y.dtype === 'float32') },
    workgroups: groupsOf(count, 64),
  });
}

export const fillKernel: GpuKernel<typeof fillOp> = (_operands, { y }, gpu, { value }) => {
  fillBuffer(gpu, y, value);
};
