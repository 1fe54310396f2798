/** Launchers of the GRU cell and its gradient. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { multiplyBack, tableOf, withPacked } from '../linear/linear.wasm.ts';

export const gruWasm = {
  gruCell: (
    { gateWeight, gateBias, candidateWeight, candidateBias, biasRows, h, xs },
    { next, gates, reset, candidate },
    device,
  ) => {
    const [rows, d] = h.shape;
    const [k] = gateWeight.shape;
    withPacked(device, gateWeight, (packedGates) => {
      withPacked(device, candidateWeight, (packedCandidate) => {
        device.launch('gruRows', Math.ceil(rows / 32), rows * d * (28 + (3 * (k + 1)) / 4), {
          parts: device.table([...tableOf([...xs, h]), ...tableOf([...xs, reset])]),
          count: xs.length + 1,
          gateWeight: packedGates,
          gateBias: gateBias.buffer.pointer,
          candidateWeight: packedCandidate,
          candidateBias: candidateBias.buffer.pointer,
          biasRows: biasRows?.ids.buffer.pointer ?? 0,
          h: h.buffer.pointer,
          gates: gates.buffer.pointer,
          reset: reset.buffer.pointer,
          candidate: candidate.buffer.pointer,
          next: next.buffer.pointer,
          rows,
          k,
          d,
        });
      });
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
