/** Launchers of typedLinear and typedOuter. */
import { scratchValues } from '../../backends/wasm/shares.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { TensorError } from '../../core/errors.ts';
import { addBlocks, withBlocks } from '../segment/segment-blocks.wasm.ts';

/** Rows that one unit multiplies by the weight of their type. */
const rowsPerBlock = 64;
/** Entries whose outer products one unit adds up. */
const entriesPerBlock = 1024;

export const typedLinearWasm = {
  typedLinear: (
    { inputs: [x, weight, , offsets, order], outputs: [y], attrs: { index, transposed } },
    device,
  ) => {
    const [rows, k] = x.shape;
    const m = y.shape[1];
    const panels = Math.ceil(m / 8);
    device.scratch(index.rows * panels * 8 * k, (packed) => {
      const units = index.rows * panels;
      device.launch(
        'typedPack',
        units,
        units * k * 8,
        weight.buffer.pointer,
        k,
        m,
        Number(transposed),
        panels,
        packed,
      );
      withBlocks(offsets.buffer.pointer, index.rows, rowsPerBlock, device, ({ count, table }) => {
        const [from, sorted, to] = [x.buffer.pointer, order.buffer.pointer, y.buffer.pointer];
        device.launch('typedLinear', count, (rows * k * m) / 4, table, from, packed, sorted, to, k, m);
      });
    });
  },
  typedOuter: ({ inputs: [a, b, offsets, order], outputs: [y], attrs: { index } }, device) => {
    const [types, n, m] = y.shape;
    if (n + m > scratchValues) {
      throw new TensorError(
        'typedOuter',
        'memory',
        `expected widths that add up to at most ${scratchValues} on the wasm backend, got ${n} and ${m}`,
      );
    }
    withBlocks(offsets.buffer.pointer, types, entriesPerBlock, device, (blocks) => {
      device.scratch(blocks.count * n * m, (partial) => {
        const [left, right, sorted] = [a.buffer.pointer, b.buffer.pointer, order.buffer.pointer];
        const work = (index.length * n * m) / 4;
        device.launch('typedOuter', blocks.count, work, blocks.table, left, right, sorted, partial, n, m);
        addBlocks(blocks, types, partial, y.buffer.pointer, n * m, device);
      });
    });
  },
} satisfies Partial<WasmKernelTable>;
