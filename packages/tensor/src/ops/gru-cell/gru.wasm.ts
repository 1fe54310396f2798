/** Launchers of the GRU cell and its gradient: products of parts, and the passes between them. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { multiplyBack, multiplyParts } from '../linear/linear.wasm.ts';

export const gruWasm = {
  gruCell: ({ inputs, outputs: [next, gates, reset, candidate] }, device) => {
    const [gateWeight, gateBias, candidateWeight, candidateBias, h, ...xs] = inputs;
    const [rows, d] = h.shape;
    const [atGates, atReset, atState] = [gates, reset, h].map(({ buffer }) => buffer.pointer);
    const [atCandidate, atNext] = [candidate, next].map(({ buffer }) => buffer.pointer);
    multiplyParts(device, [...xs, h], { weight: gateWeight, bias: gateBias, y: gates });
    device.launch('gruGates', rows, rows * d * 16, atGates, atState, atReset, d);
    multiplyParts(device, [...xs, reset], { weight: candidateWeight, bias: candidateBias, y: candidate });
    device.launch('gruOutput', rows, rows * d * 12, atCandidate, atGates, atState, atNext, d);
  },
  gruCellGrad: ({ inputs, outputs, attrs: { widths } }, device) => {
    const [gateWeight, candidateWeight, dnext, gates, candidate, h] = inputs;
    const [ofGates, ofCandidate, dh, ...dxs] = outputs;
    const [rows, d] = h.shape;
    const [atGates, atState, atDh] = [gates, h, dh].map(({ buffer }) => buffer.pointer);
    const [from, atCandidate] = [dnext, candidate].map(({ buffer }) => buffer.pointer);
    const [toGates, toCandidate] = [ofGates, ofCandidate].map(({ buffer }) => buffer.pointer);
    const parts = dxs.map(({ buffer: { pointer } }, i) => ({ pointer, width: widths[i] }));
    device.scratch(rows * d, (dreset) => {
      const work = rows * d * 4;
      device.launch(
        'gruOutputGrad',
        rows,
        work,
        from,
        atGates,
        atState,
        atCandidate,
        toCandidate,
        toGates,
        d,
      );
      const ofReset = { pointer: dreset, width: d };
      multiplyBack(device, [...parts, ofReset], { dy: ofCandidate, weight: candidateWeight, adds: false });
      device.launch('gruGatesGrad', rows, work, from, dreset, atGates, atState, toGates, atDh, d);
    });
    const ofState = { pointer: dh.buffer.pointer, width: d };
    multiplyBack(device, [...parts, ofState], { dy: ofGates, weight: gateWeight, adds: true });
  },
} satisfies Partial<WasmKernelTable>;
