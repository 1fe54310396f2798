/** Launcher of gatherTanh. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';

export const gatherTanhWasm = {
  gatherTanh: ({ xs, indices }, { out }, device) => {
    const row = sizeOf(out.shape.slice(1));
    const entries = out.shape[0];
    device.launch('gatherTanh', entries, entries * (row + 4) * (6 + xs.length), {
      table: device.table(xs.flatMap((x, i) => [x.buffer.pointer, indices[i].ids.buffer.pointer])),
      terms: xs.length,
      out: out.buffer.pointer,
      row,
    });
  },
} satisfies Partial<WasmKernelTable>;
