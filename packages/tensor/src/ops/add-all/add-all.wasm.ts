/** The launcher of addAll. */
import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { stackSize } from './add-all.op.ts';

/** What the table of one launch holds with room to spare. */
const termsPerTable = 4096;

export const addAllWasm = {
  addAll: ({ inputs, outputs: [y], attrs: { shape } }, device) => {
    const units = wholeUnits(y);
    // Later rounds take the sum of the earlier ones for their first term.
    for (let first = 0; first < inputs.length; first += termsPerTable) {
      const terms = [...(first > 0 ? [y] : []), ...inputs.slice(first, first + termsPerTable)];
      const layers = terms.map((term) => stackSize(term, shape));
      const table = terms.flatMap((term, i) => [term.buffer.pointer, layers[i]]);
      const work = 8 * units * layers.reduce((total, n) => total + n, 0);
      device.launch(
        'addAll',
        units,
        work,
        device.table(table),
        terms.length,
        4 * y.buffer.length,
        y.buffer.pointer,
      );
    }
  },
} satisfies Partial<WasmKernelTable>;
