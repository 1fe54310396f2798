/** Launchers of fill and cast. */
import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { KernelName, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import type { DType } from '../../core/dtype.ts';

type Cast = Extract<KernelName, `cast${string}` | 'copy'>;

/** From the dtype of the first key to that of the second. A mask is whole numbers already. */
const casts: Readonly<Record<DType, Readonly<Record<DType, Cast>>>> = {
  float32: { float32: 'copy', int32: 'castFloatToInt', bool: 'castFloatToBool' },
  int32: { float32: 'castIntToFloat', int32: 'copy', bool: 'castIntToBool' },
  bool: { float32: 'castIntToFloat', int32: 'copy', bool: 'copy' },
};

export const valueWasm = {
  fill: (_operands, { y }, device, { value }) => {
    const units = wholeUnits(y);
    device.launch(y.dtype === 'float32' ? 'fill' : 'fillInt', units, units * 8, {
      y: y.buffer.pointer,
      value,
    });
  },
  cast: ({ x }, { y }, device, { dtype }) => {
    const units = wholeUnits(y);
    device.launch(casts[x.dtype][dtype], units, units * 16, { x: x.buffer.pointer, y: y.buffer.pointer });
  },
} satisfies Partial<WasmKernelTable>;
