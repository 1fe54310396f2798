/** Launchers of scatterAddAll and gatherPair. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import { gatherWasm } from '../gather/gather.wasm.ts';

/** What the table of one launch holds with room to spare. */
const termsPerTable = 1024;

export const scatterAllWasm = {
  scatterAddAll: ({ inputs, outputs: [out], attrs: { indices } }, device) => {
    const row = sizeOf(out.shape.slice(1));
    const [rows, to] = [out.shape[0], out.buffer.pointer];
    const pointers = inputs.map(({ buffer }) => buffer.pointer);
    let base = pointers.at(3 * indices.length) ?? 0;
    for (let first = 0; first < indices.length; first += termsPerTable) {
      const terms = indices.slice(first, first + termsPerTable);
      const table = device.table(pointers.slice(3 * first, 3 * (first + terms.length)));
      const entries = terms.reduce((total, { length }) => total + length, rows);
      device.launch('scatterAddAll', rows, entries * (row + 8), table, terms.length, base, to, row);
      base = to;
    }
  },
  gatherPair: ({ inputs, outputs, attrs: { indices } }, device) => {
    indices.forEach((index, i) => {
      const call = { inputs: inputs.slice(2 * i, 2 * i + 2), outputs: [outputs[i]], attrs: { index } };
      gatherWasm.gather(call, device);
    });
  },
} satisfies Partial<WasmKernelTable>;
