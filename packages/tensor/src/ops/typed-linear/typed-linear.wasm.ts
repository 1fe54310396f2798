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
  typedLinear: ({ x, weight, types }, { y }, device, { transposed }) => {
    const [rows, k] = x.shape;
    const m = y.shape[1];
    const panels = Math.ceil(m / 8);
    const order = types.order.buffer.pointer;
    device.scratch(types.rows * panels * 8 * k, (packed) => {
      const units = types.rows * panels;
      device.launch('typedPack', units, units * k * 8, {
        weight: weight.buffer.pointer,
        k,
        m,
        transposed: Number(transposed),
        panels,
        packed,
      });
      withBlocks(types, rowsPerBlock, device, ({ count, table }) => {
        device.launch('typedLinear', count, (rows * k * m) / 4, {
          blocks: table,
          x: x.buffer.pointer,
          packed,
          order,
          y: y.buffer.pointer,
          k,
          m,
        });
      });
    });
  },
  typedOuter: ({ a, b, types }, { y }, device) => {
    const [, n, m] = y.shape;
    if (n + m > scratchValues) {
      throw new TensorError(
        'typedOuter',
        'memory',
        `expected widths that add up to at most ${scratchValues} on the wasm backend, got ${n} and ${m}`,
      );
    }
    const order = types.order.buffer.pointer;
    withBlocks(types, entriesPerBlock, device, (blocks) => {
      device.scratch(blocks.count * n * m, (partial) => {
        device.launch('typedOuter', blocks.count, (types.length * n * m) / 4, {
          blocks: blocks.table,
          a: a.buffer.pointer,
          b: b.buffer.pointer,
          order,
          partial,
          n,
          m,
        });
        addBlocks(blocks, types.rows, { partial, y: y.buffer.pointer, row: n * m }, device);
      });
    });
  },
} satisfies Partial<WasmKernelTable>;
