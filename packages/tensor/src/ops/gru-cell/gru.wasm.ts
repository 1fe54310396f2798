/** Launchers of the fused passes of a GRU cell. */
import type { WasmKernelTable, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';

const pointers = (tensors: readonly WasmTensor[]): number[] => tensors.map(({ buffer }) => buffer.pointer);

export const gruWasm = {
  gruGates: ({ inputs, outputs }, device) => {
    const [rows, d] = inputs[2].shape;
    const [pre, bias, h] = pointers(inputs);
    const [gates, reset] = pointers(outputs);
    device.launch('gruGates', rows, rows * d * 16, pre, bias, h, gates, reset, d);
  },
  gruGatesGrad: ({ inputs, outputs }, device) => {
    const [rows, d] = inputs[3].shape;
    const [dgates, dreset, gates, h] = pointers(inputs);
    const [dpre, dh] = pointers(outputs);
    device.launch('gruGatesGrad', rows, rows * d * 4, dgates, dreset, gates, h, dpre, dh, d);
  },
  gruOutput: ({ inputs, outputs }, device) => {
    const [rows, d] = inputs[3].shape;
    const [pre, bias, gates, h] = pointers(inputs);
    const [next, candidate] = pointers(outputs);
    device.launch('gruOutput', rows, rows * d * 12, pre, bias, gates, h, next, candidate, d);
  },
  gruOutputGrad: ({ inputs, outputs }, device) => {
    const [rows, d] = inputs[2].shape;
    const [dnext, gates, h, candidate] = pointers(inputs);
    const [dpre, dgates, dh] = pointers(outputs);
    device.launch('gruOutputGrad', rows, rows * d * 4, dnext, gates, h, candidate, dpre, dgates, dh, d);
  },
} satisfies Partial<WasmKernelTable>;
