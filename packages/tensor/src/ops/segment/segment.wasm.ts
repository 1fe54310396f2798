/** Launchers of the segment ops. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { sumSegments } from './segment-blocks.wasm.ts';

export const segmentWasm = {
  segmentSum: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }, device) => {
    const row = sizeOf(x.shape.slice(1));
    sumSegments(index, offsets.buffer.pointer, y.buffer.pointer, row, device, (units, work, bounds, to) => {
      device.launch('segmentSum', units, work, x.buffer.pointer, bounds, to, row);
    });
  },
  segmentMax: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const work = (index.length + index.rows) * (row + 4);
    const [from, bounds, to] = [x.buffer.pointer, offsets.buffer.pointer, y.buffer.pointer];
    device.launch('segmentMax', index.rows, work, from, bounds, to, row);
  },
  segmentSoftmax: ({ inputs: [x, offsets], outputs: [y], attrs: { index } }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const work = index.length * row * 16;
    const [from, bounds, to] = [x.buffer.pointer, offsets.buffer.pointer, y.buffer.pointer];
    if (row === 1) device.launch('segmentSoftmaxValues', index.rows, work, from, bounds, to);
    else device.launch('segmentSoftmaxRows', index.rows, work, from, bounds, to, row);
  },
  segmentSoftmaxGrad: ({ inputs: [y, g, offsets], outputs: [dx], attrs: { index } }, device) => {
    const row = sizeOf(y.shape.slice(1));
    const work = index.length * row * 4;
    const [py, pg, bounds, to] = [y, g, offsets, dx].map(({ buffer }) => buffer.pointer);
    if (row === 1) device.launch('segmentSoftmaxGradValues', index.rows, work, py, pg, bounds, to);
    else device.launch('segmentSoftmaxGradRows', index.rows, work, py, pg, bounds, to, row);
  },
} satisfies Partial<WasmKernelTable>;
