import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';

export const segmentLogSumExpWasm = {
  segmentLogSumExp: ({ x, segments: { rows, length, offsets } }, { y }, device) => {
    const row = sizeOf(x.shape.slice(1));
    device.launch('segmentLogSumExp', rows, length * row * 8 + rows, {
      x: x.buffer.pointer,
      offsets: offsets.buffer.pointer,
      y: y.buffer.pointer,
      row,
    });
  },
} satisfies Partial<WasmKernelTable>;
