import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';

export const adamUpdateWasm = {
  adamUpdate: ({ inputs: [p, g, m, v], attrs: { learningRate, beta1, beta2, epsilon, step } }, device) => {
    const units = wholeUnits(p);
    device.launch(
      'adamUpdate',
      units,
      units * 32,
      p.buffer.pointer,
      g.buffer.pointer,
      m.buffer.pointer,
      v.buffer.pointer,
      beta1,
      1 - beta1,
      beta2,
      1 - beta2,
      learningRate / (1 - beta1 ** step),
      1 / (1 - beta2 ** step),
      epsilon,
    );
  },
} satisfies Partial<WasmKernelTable>;
