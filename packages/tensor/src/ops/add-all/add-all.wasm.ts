/** The launcher of addAll. */
import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { stackSize } from './add-all.op.ts';

/** What the table of one launch holds with room to spare. */
const termsPerTable = 4096;

export const addAllWasm = {
  addAll: ({ terms: all }, { y }, device, { shape }) => {
    const units = wholeUnits(y);
    // Later rounds take the sum of the earlier ones for their first term.
    for (let first = 0; first < all.length; first += termsPerTable) {
      const terms = [...(first > 0 ? [y] : []), ...all.slice(first, first + termsPerTable)];
      const layers = terms.map((term) => stackSize(term, shape));
      const table = terms.flatMap((term, i) => [term.buffer.pointer, layers[i]]);
      const work = 8 * units * layers.reduce((total, n) => total + n, 0);
      device.launch('addAll', units, work, {
        table: device.table(table),
        terms: terms.length,
        bytes: 4 * y.buffer.length,
        y: y.buffer.pointer,
      });
    }
  },
} satisfies Partial<WasmKernelTable>;
