/** Launchers of weightedSum, gatherDot and gatherMul. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';

export const weightedSumWasm = {
  weightedSum: ({ w, x, from, to }, { out }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const heads = sizeOf(w.shape.slice(1));
    device.launch('weightedSum', to.rows, (to.length + to.rows) * (row + 8), {
      w: w.buffer.pointer,
      x: x.buffer.pointer,
      offsets: to.offsets.buffer.pointer,
      order: to.order.buffer.pointer,
      from: from?.ids.buffer.pointer ?? 0,
      out: out.buffer.pointer,
      heads,
      width: row / heads,
    });
  },
  gatherDot: ({ x, y, xRows, yRows }, { out }, device, { heads }) => {
    const width = sizeOf(x.shape.slice(1)) / sizeOf(heads);
    const entries = out.shape[0];
    device.launch('gatherDot', entries, entries * (sizeOf(x.shape.slice(1)) + 8), {
      x: x.buffer.pointer,
      y: y.buffer.pointer,
      xs: xRows.ids.buffer.pointer,
      ys: yRows?.ids.buffer.pointer ?? 0,
      out: out.buffer.pointer,
      heads: sizeOf(heads),
      width,
    });
  },
  gatherMul: ({ x, y, xRows, yRows }, { out }, device) => {
    const row = sizeOf(y.shape.slice(1));
    const entries = out.shape[0];
    device.launch('gatherMul', entries, entries * (row + 8), {
      x: x.buffer.pointer,
      y: y.buffer.pointer,
      xs: xRows?.ids.buffer.pointer ?? 0,
      ys: yRows.ids.buffer.pointer,
      out: out.buffer.pointer,
      row,
    });
  },
} satisfies Partial<WasmKernelTable>;
