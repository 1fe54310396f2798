/** Launchers of gather, scatterAdd and gatherSum. */
import type { WasmDevice, WasmKernelTable, WasmRows, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { sumSegments } from '../segment/segment-blocks.wasm.ts';
import { sumRows } from '../segment/segment.wasm.ts';

/** y = the rows of x that `ids` name. */
export function gatherRows(x: WasmTensor, { ids }: WasmRows, y: WasmTensor, device: WasmDevice): void {
  const row = sizeOf(x.shape.slice(1));
  const rows = ids.buffer.length;
  device.launch('gather', rows, rows * (row + 4), {
    x: x.buffer.pointer,
    ids: ids.buffer.pointer,
    y: y.buffer.pointer,
    row,
  });
}

export const gatherWasm = {
  gather: ({ x, index }, { y }, device) => {
    gatherRows(x, index, y, device);
  },
  scatterAdd: ({ x, index }, { y }, device) => {
    if (index.sorted) {
      sumRows(x, index, y, device);
      return;
    }
    const row = sizeOf(x.shape.slice(1));
    const [from, order] = [x.buffer.pointer, index.order.buffer.pointer];
    sumSegments(index, y.buffer.pointer, row, device, (units, work, offsets, to) => {
      device.launch('scatterAdd', units, work, { x: from, offsets, order, y: to, row });
    });
  },
  gatherSum: ({ x, from: { ids }, to: index }, { y }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const [rows, from, order] = [x.buffer.pointer, ids.buffer.pointer, index.order.buffer.pointer];
    sumSegments(index, y.buffer.pointer, row, device, (units, work, offsets, to) => {
      device.launch('gatherSum', units, work, { x: rows, offsets, order, from, y: to, row });
    });
  },
} satisfies Partial<WasmKernelTable>;
