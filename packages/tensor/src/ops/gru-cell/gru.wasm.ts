/** Launchers of the GRU cell and its gradient: products of parts, and the passes between them. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { multiplyBack, multiplyParts } from '../linear/linear.wasm.ts';

export const gruWasm = {
  gruCell: (
    { gateWeight, gateBias, candidateWeight, candidateBias, biasRows, h, xs },
    { next, gates, reset, candidate },
    device,
  ) => {
    const [rows, d] = h.shape;
    const [atGates, atState] = [gates.buffer.pointer, h.buffer.pointer];
    multiplyParts(device, [...xs, h], { weight: gateWeight, bias: gateBias, biasRows, y: gates });
    device.launch('gruGates', rows, rows * d * 16, {
      gates: atGates,
      h: atState,
      reset: reset.buffer.pointer,
      d,
    });
    multiplyParts(device, [...xs, reset], {
      weight: candidateWeight,
      bias: candidateBias,
      biasRows,
      y: candidate,
    });
    device.launch('gruOutput', rows, rows * d * 12, {
      candidate: candidate.buffer.pointer,
      gates: atGates,
      h: atState,
      next: next.buffer.pointer,
      d,
    });
  },
  gruCellGrad: (
    { gateWeight, candidateWeight, dnext, gates, candidate, h },
    { ofGates, ofCandidate, dh, dxs },
    device,
    { widths },
  ) => {
    const [rows, d] = h.shape;
    const [atGates, atState] = [gates.buffer.pointer, h.buffer.pointer];
    const [from, toGates] = [dnext.buffer.pointer, ofGates.buffer.pointer];
    const parts = dxs.map(({ buffer: { pointer } }, i) => ({ pointer, width: widths[i] }));
    device.scratch(rows * d, (dreset) => {
      const work = rows * d * 4;
      device.launch('gruOutputGrad', rows, work, {
        dnext: from,
        gates: atGates,
        h: atState,
        candidate: candidate.buffer.pointer,
        ofCandidate: ofCandidate.buffer.pointer,
        ofGates: toGates,
        d,
      });
      const ofReset = { pointer: dreset, width: d };
      multiplyBack(device, [...parts, ofReset], { dy: ofCandidate, weight: candidateWeight, adds: false });
      device.launch('gruGatesGrad', rows, work, {
        dnext: from,
        dreset,
        gates: atGates,
        h: atState,
        ofGates: toGates,
        dh: dh.buffer.pointer,
        d,
      });
    });
    const ofState = { pointer: dh.buffer.pointer, width: d };
    multiplyBack(device, [...parts, ofState], { dy: ofGates, weight: gateWeight, adds: true });
  },
} satisfies Partial<WasmKernelTable>;
