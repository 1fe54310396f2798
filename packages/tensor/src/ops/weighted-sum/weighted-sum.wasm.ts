/** Launchers of weightedSum, gatherDot and gatherMul. */
import { sumLeftRows } from '../../backends/wasm/left-rows.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';

const valuesInCache = 2 ** 18;

export const weightedSumWasm = {
  weightedSum: ({ w, x, from, to }, { out }, device) => {
    const row = sizeOf(x.shape.slice(1));
    const heads = sizeOf(w.shape.slice(1));
    const sumInto = (first: number, last: number): void => {
      const share = (last - first) / to.rows;
      device.launch('weightedSum', last - first, share * (to.length + to.rows) * (row + 8), {
        w: w.buffer.pointer,
        x: x.buffer.pointer,
        offsets: to.offsets.buffer.pointer + 4 * first,
        order: to.order.buffer.pointer,
        from: from?.ids.buffer.pointer ?? 0,
        out: out.buffer.pointer + 4 * first * row,
        heads,
        width: row / heads,
      });
    };
    const left = from && x.buffer !== w.buffer && device.takeOver(x.buffer);
    if (left) sumLeftRows(device, left, { values: x, from, into: to }, sumInto);
    else sumInto(0, to.rows);
  },
  gatherDot: ({ x, y, xRows, yRows }, { out }, device, { heads }) => {
    const width = sizeOf(x.shape.slice(1)) / sizeOf(heads);
    const entries = out.shape[0];
    // In the order of the rows of y, where these are more than the cache of a core holds.
    const isLarge = y.buffer.length > Math.max(x.buffer.length, valuesInCache);
    const order = yRows && isLarge ? yRows.order.buffer.pointer : 0;
    device.launch('gatherDot', entries, entries * (sizeOf(x.shape.slice(1)) + 8), {
      x: x.buffer.pointer,
      y: y.buffer.pointer,
      xs: xRows.ids.buffer.pointer,
      ys: yRows?.ids.buffer.pointer ?? 0,
      order,
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
