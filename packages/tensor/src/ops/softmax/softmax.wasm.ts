import type { WasmKernel, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import type { softmaxOp } from './softmax.op.ts';

const alongRows =
  (kernel: 'softmax' | 'logSoftmax'): WasmKernel<typeof softmaxOp> =>
  ({ x }, { y }, device) => {
    const n = x.shape.at(-1)!;
    const { pointer, length } = y.buffer;
    device.launch(kernel, length / n, length * 8, { x: x.buffer.pointer, y: pointer, n });
  };

export const softmaxWasm = {
  softmax: alongRows('softmax'),
  logSoftmax: alongRows('logSoftmax'),
} satisfies Partial<WasmKernelTable>;
