import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastWalk } from '../elementwise/elementwise.wasm.ts';

export const whereWasm = {
  where: ({ inputs: [mask, a, b], outputs: [y] }, device) => {
    const { rows, n, total, steps, axes, table } = broadcastWalk(y, [mask, a, b]);
    device.launch(
      'where',
      rows,
      total,
      mask.buffer.pointer,
      a.buffer.pointer,
      b.buffer.pointer,
      y.buffer.pointer,
      total,
      n,
      steps[0],
      steps[1],
      steps[2],
      axes,
      device.table(table),
    );
  },
} satisfies Partial<WasmKernelTable>;
