/** Launchers of gather, scatterAdd and gatherSum. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { sumSegments } from '../segment/segment-blocks.wasm.ts';

export const gatherWasm = {
  gather: ({ inputs: [x, ids], outputs: [y] }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const rows = ids.buffer.length;
    device.launch(
      'gather',
      rows,
      rows * (row + 4),
      x.buffer.pointer,
      ids.buffer.pointer,
      y.buffer.pointer,
      row,
    );
  },
  scatterAdd: ({ inputs: [x, offsets, order], outputs: [y], attrs: { index } }, device) => {
    const row = sizeOf(x.shape.slice(1));
    sumSegments(index, offsets.buffer.pointer, y.buffer.pointer, row, device, (units, work, bounds, to) => {
      device.launch('scatterAdd', units, work, x.buffer.pointer, bounds, order.buffer.pointer, to, row);
    });
  },
  gatherSum: ({ inputs: [x, from, offsets, order], outputs: [y], attrs: { to: index } }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const [source, ids, sorted] = [x.buffer.pointer, from.buffer.pointer, order.buffer.pointer];
    sumSegments(index, offsets.buffer.pointer, y.buffer.pointer, row, device, (units, work, bounds, to) => {
      device.launch('gatherSum', units, work, source, bounds, sorted, ids, to, row);
    });
  },
} satisfies Partial<WasmKernelTable>;
