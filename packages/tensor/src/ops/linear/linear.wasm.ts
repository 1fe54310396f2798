/** Launchers of linear and its gradient, and the products of parts that other launchers are made of. */
import type { WasmDevice, WasmKernelTable, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { slicesOfRows } from './linear.op.ts';

const tableOf = (parts: readonly WasmTensor[]): number[] =>
  parts.flatMap(({ buffer, shape }) => [buffer.pointer, shape[1]]);

/** Runs `fn` with B [k, m] packed into panels, given as it is or, transposed, as [m, k] at `pointer`. */
function withPanels(
  device: WasmDevice,
  { pointer, k, m, transposed }: { pointer: number; k: number; m: number; transposed: boolean },
  fn: (panels: number) => void,
): void {
  const panels = Math.ceil(m / 8);
  device.scratch(panels * 8 * k, (packed) => {
    device.launch('matmulPack', panels, k * m, pointer, k, m, Number(transposed), packed);
    fn(packed);
  });
}

/** y = [parts]·W + b. */
export function multiplyParts(
  device: WasmDevice,
  parts: readonly WasmTensor[],
  { weight, bias, y }: { weight: WasmTensor; bias?: WasmTensor; y: WasmTensor },
): void {
  const [k, m] = weight.shape;
  const [n] = y.shape;
  withPanels(device, { pointer: weight.buffer.pointer, k, m, transposed: false }, (packed) => {
    const work = (n * m * (k + 1)) / 4;
    const [table, to] = [device.table(tableOf(parts)), y.buffer.pointer];
    const from = bias?.buffer.pointer ?? 0;
    device.launch('linearRows', Math.ceil(n / 4), work, table, parts.length, packed, from, to, n, k, m);
  });
}

/** [parts] = dy·Wᵀ, or += that; parts are pointers with their widths. */
export function multiplyBack(
  device: WasmDevice,
  parts: readonly { readonly pointer: number; readonly width: number }[],
  { dy, weight, adds }: { dy: WasmTensor; weight: WasmTensor; adds: boolean },
): void {
  const [n, k] = dy.shape;
  let first = weight.buffer.pointer;
  for (const { pointer: y, width: m } of parts) {
    withPanels(device, { pointer: first, k, m, transposed: true }, (packed) => {
      const work = (n * m * (k + 1)) / 4;
      const [units, x] = [Math.ceil(n / 4), dy.buffer.pointer];
      if (adds) device.launch('linearRowsAdd', units, work, x, packed, y, n, k, m);
      else device.launch('matmulRows', units, work, x, packed, 1, y, n, k, m, 0);
    });
    first += 4 * m * k;
  }
}

export const linearWasm = {
  linear: ({ inputs: [x, weight, bias], outputs: [y] }, device) => {
    multiplyParts(device, [x], { weight, bias, y });
  },
  linearWeightGrad: ({ inputs, outputs: [dw, db] }, device) => {
    const dy = inputs.at(-1)!;
    const parts = inputs.slice(0, -1);
    const [n, m] = dy.shape;
    const k = dw.shape[1];
    const { slices, depth } = slicesOfRows(n);
    const [from, toW, toB] = [dy, dw, db].map(({ buffer }) => buffer.pointer);
    const work = (n * m * (k + 1)) / 4;
    const table = device.table(tableOf(parts));
    device.launch('linearWeightGrad', slices, work, table, parts.length, from, toW, toB, n, depth, k, m);
  },
} satisfies Partial<WasmKernelTable>;
