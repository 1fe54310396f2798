import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastWalk } from '../elementwise/elementwise.wasm.ts';

export const whereWasm = {
  where: ({ mask, a, b }, { y }, device) => {
    const { rows, n, total, steps, axes, table } = broadcastWalk(y, [mask, a, b]);
    device.launch('where', rows, total, {
      mask: mask.buffer.pointer,
      a: a.buffer.pointer,
      b: b.buffer.pointer,
      y: y.buffer.pointer,
      total,
      n,
      stepMask: steps[0],
      stepA: steps[1],
      stepB: steps[2],
      axes,
      table: device.table(table),
    });
  },
} satisfies Partial<WasmKernelTable>;
