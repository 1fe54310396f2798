/** Launchers of the segment ops. */
import type { WasmDevice, WasmKernelTable, WasmRows, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { sumSegments } from './segment-blocks.wasm.ts';

/** y = the sums of x's rows by segment. */
export function sumRows(x: WasmTensor, segments: WasmRows, y: WasmTensor, device: WasmDevice): void {
  const row = sizeOf(x.shape.slice(1));
  const from = x.buffer.pointer;
  sumSegments(segments, y.buffer.pointer, row, device, (units, work, offsets, to) => {
    device.launch('segmentSum', units, work, { x: from, offsets, y: to, row });
  });
}

export const segmentWasm = {
  segmentSum: ({ x, segments }, { y }, device) => {
    sumRows(x, segments, y, device);
  },
  segmentMax: ({ x, segments: { rows, length, offsets } }, { y }, device) => {
    const row = sizeOf(x.shape.slice(1));
    device.launch('segmentMax', rows, (length + rows) * (row + 4), {
      x: x.buffer.pointer,
      offsets: offsets.buffer.pointer,
      y: y.buffer.pointer,
      row,
    });
  },
  segmentSoftmax: ({ x, segments: { rows, length, offsets } }, { y }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const work = length * row * 16;
    const arrays = { x: x.buffer.pointer, offsets: offsets.buffer.pointer, y: y.buffer.pointer };
    if (row === 1) device.launch('segmentSoftmaxValues', rows, work, arrays);
    else device.launch('segmentSoftmaxRows', rows, work, { ...arrays, row });
  },
  segmentSoftmaxGrad: ({ y, g, segments: { rows, length, offsets } }, { dx }, device) => {
    const row = sizeOf(y.shape.slice(1));
    const work = length * row * 4;
    const arrays = {
      y: y.buffer.pointer,
      g: g.buffer.pointer,
      offsets: offsets.buffer.pointer,
      dx: dx.buffer.pointer,
    };
    if (row === 1) device.launch('segmentSoftmaxGradValues', rows, work, arrays);
    else device.launch('segmentSoftmaxGradRows', rows, work, { ...arrays, row });
  },
} satisfies Partial<WasmKernelTable>;
