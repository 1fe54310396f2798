import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';

export const adamUpdateWasm = {
  adamUpdate: ({ p, g, m, v }, _outputs, device, { learningRate, beta1, beta2, epsilon, step }) => {
    const units = wholeUnits(p);
    device.launch('adamUpdate', units, units * 32, {
      p: p.buffer.pointer,
      g: g.buffer.pointer,
      m: m.buffer.pointer,
      v: v.buffer.pointer,
      beta1,
      rest1: 1 - beta1,
      beta2,
      rest2: 1 - beta2,
      rate: learningRate / (1 - beta1 ** step),
      correction: 1 / (1 - beta2 ** step),
      epsilon,
    });
  },
} satisfies Partial<WasmKernelTable>;
