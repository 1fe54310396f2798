/** Launchers of weightedSum and gatherMul. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';

export const weightedSumWasm = {
  weightedSum: ({ inputs, outputs: [out], attrs: { to } }, device) => {
    const row = sizeOf(inputs[1].shape.slice(1));
    const heads = sizeOf(inputs[0].shape.slice(1));
    const [w, x, offsets, order, from = 0] = inputs.map(({ buffer }) => buffer.pointer);
    const work = (to.length + to.rows) * (row + 8);
    const [result, width] = [out.buffer.pointer, row / heads];
    device.launch('weightedSum', to.rows, work, w, x, offsets, order, from, result, heads, width);
  },
  gatherMul: ({ inputs, outputs: [out] }, device) => {
    const row = sizeOf(inputs[1].shape.slice(1));
    const [x, y, ofY, ofX = 0] = inputs.map(({ buffer }) => buffer.pointer);
    const entries = out.shape[0];
    device.launch('gatherMul', entries, entries * (row + 8), x, y, ofX, ofY, out.buffer.pointer, row);
  },
} satisfies Partial<WasmKernelTable>;
