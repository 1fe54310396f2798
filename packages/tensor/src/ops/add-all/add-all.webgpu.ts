import type { GpuKernel } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { sizeOf } from '../../core/shape.ts';
import { stackSize } from './add-all.op.ts';
import type { addAllOp } from './add-all.op.ts';

/** With the result, as many buffers as every device binds. */
const termsPerDispatch = 7;

export const addAllKernel: GpuKernel<typeof addAllOp> = ({ terms: all }, { y }, gpu, { shape }) => {
  const count = sizeOf(shape);
  for (let first = 0; first < all.length; first += termsPerDispatch) {
    const terms = all.slice(first, first + termsPerDispatch);
    const layers = terms.map((term) => stackSize(term, shape));
    const buffers = Array.from({ length: termsPerDispatch }, (_, i) => terms.at(i) ?? all[0]);
    const [x0, x1, x2, x3, x4, x5, x6] = buffers;
    gpu.dispatch(shaders.addAll, {
      buffers: { x0, x1, x2, x3, x4, x5, x6, y },
      params: { count, terms: terms.length, adds: Number(first > 0), layers },
      constants: { in_fours: Number(count % 4 === 0 || layers.every((n) => n === 1)) },
      workgroups: groupsOf(Math.ceil(count / 4), 64),
      flops: count * layers.reduce((total, n) => total + n, 0),
    });
  }
};
