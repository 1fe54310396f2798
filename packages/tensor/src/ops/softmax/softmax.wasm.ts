import type { WasmKernel, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';

const alongRows =
  (kernel: 'softmax' | 'logSoftmax'): WasmKernel<unknown> =>
  ({ inputs: [x], outputs: [y] }, device) => {
    const n = x.shape.at(-1)!;
    device.launch(kernel, y.buffer.length / n, y.buffer.length * 8, x.buffer.pointer, y.buffer.pointer, n);
  };

export const softmaxWasm = {
  softmax: alongRows('softmax'),
  logSoftmax: alongRows('logSoftmax'),
} satisfies Partial<WasmKernelTable>;
