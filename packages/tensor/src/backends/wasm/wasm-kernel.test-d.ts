/** Type tests: a launcher names what it takes and what it launches. Nothing runs. */
import type { WasmDevice, WasmKernelTable } from './wasm-kernel.ts';

declare const device: WasmDevice;

device.launch('exp', 1, 1, { x: 0, y: 0 });
// @ts-expect-error: a missing argument
device.launch('exp', 1, 1, { x: 0 });
// @ts-expect-error: a misspelt one
device.launch('exp', 1, 1, { x: 0, z: 0 });
// @ts-expect-error: one too many
device.launch('exp', 1, 1, { x: 0, y: 0, n: 0 });
// @ts-expect-error: a kernel that there is not
device.launch('expo', 1, 1, { x: 0, y: 0 });

export const launcher: WasmKernelTable['segmentSum'] = ({ x, segments }, { y }) =>
  void [x.buffer.pointer, segments.offsets.buffer.pointer, y.buffer.pointer];

// @ts-expect-error: an operand that the op does not have
export const misspelt: WasmKernelTable['segmentSum'] = ({ z }) => void z;
// @ts-expect-error: an output that it does not have
export const other: WasmKernelTable['segmentSum'] = (_operands, { out }) => void out;
// @ts-expect-error: an attribute that it does not have
export const attribute: WasmKernelTable['segmentSum'] = (_x, _y, _device, { index }) => void index;
