/** Launchers of scatterAddAll and gatherPair. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { gatherRows } from '../gather/gather.wasm.ts';

/** What the table of one launch holds with room to spare. */
const termsPerTable = 1024;

export const scatterAllWasm = {
  scatterAddAll: ({ xs, indices, base: given }, { out }, device) => {
    const row = sizeOf(out.shape.slice(1));
    const [rows, to] = [out.shape[0], out.buffer.pointer];
    const terms = xs.map((x, i) => {
      const { offsets, order, length } = indices[i];
      return { length, pointers: [x, offsets, order].map(({ buffer }) => buffer.pointer) };
    });
    let base = given?.buffer.pointer ?? 0;
    for (let first = 0; first < terms.length; first += termsPerTable) {
      const some = terms.slice(first, first + termsPerTable);
      const entries = some.reduce((total, { length }) => total + length, rows);
      device.launch('scatterAddAll', rows, entries * (row + 8), {
        table: device.table(some.flatMap(({ pointers }) => pointers)),
        terms: some.length,
        base,
        out: to,
        row,
      });
      base = to;
    }
  },
  gatherPair: ({ x, index0, index1 }, { out0, out1 }, device) => {
    gatherRows(x, index0, out0, device);
    gatherRows(x, index1, out1, device);
  },
} satisfies Partial<WasmKernelTable>;
