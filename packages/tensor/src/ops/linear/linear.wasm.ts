/** Launchers of linear and its gradient, and the products of parts that other launchers are made of. */
import type { WasmDevice, WasmKernelTable, WasmRows, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { slicesOfRows } from './linear.op.ts';

const tableOf = (parts: readonly WasmTensor[]): number[] =>
  parts.flatMap(({ buffer, shape }) => [buffer.pointer, shape[1]]);

/** Runs `fn` with B [k, m] packed into panels, given as it is or, transposed, as [m, k] at `pointer`. */
export function withPanels(
  device: WasmDevice,
  { pointer, k, m, transposed }: { pointer: number; k: number; m: number; transposed: boolean },
  fn: (panels: number) => void,
): void {
  const panels = Math.ceil(m / 8);
  device.scratch(panels * 8 * k, (packed) => {
    device.launch('matmulPack', panels, k * m, {
      b: pointer,
      k,
      m,
      transposed: Number(transposed),
      panels: packed,
    });
    fn(packed);
  });
}

interface Product {
  readonly weight: WasmTensor;
  /** [m], or one for each row, of which `biasRows` has the numbers. */
  readonly bias: WasmTensor;
  readonly biasRows?: WasmRows | undefined;
  readonly y: WasmTensor;
}

/** y = [parts]·W + b. */
export function multiplyParts(
  device: WasmDevice,
  parts: readonly WasmTensor[],
  { weight, bias, biasRows, y }: Product,
): void {
  const [k, m] = weight.shape;
  const [n] = y.shape;
  withPanels(device, { pointer: weight.buffer.pointer, k, m, transposed: false }, (packed) => {
    device.launch('linearRows', Math.ceil(n / 4), (n * m * (k + 1)) / 4, {
      parts: device.table(tableOf(parts)),
      count: parts.length,
      b: packed,
      bias: bias.buffer.pointer,
      biasRows: biasRows?.ids.buffer.pointer ?? 0,
      y: y.buffer.pointer,
      n,
      k,
      m,
    });
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
      if (adds) device.launch('linearRowsAdd', units, work, { x, b: packed, y, n, k, m });
      else device.launch('matmulRows', units, work, { x, b: packed, packed: 1, y, n, k, m, byColumns: 0 });
    });
    first += 4 * m * k;
  }
}

export const linearWasm = {
  linear: ({ x, weight, bias }, { y }, device) => {
    multiplyParts(device, [x], { weight, bias, y });
  },
  linearWeightGrad: ({ xs, dy }, { dweight, dbias }, device) => {
    const [n, m] = dy.shape;
    const k = dweight.shape[1];
    const { slices, depth } = slicesOfRows(n);
    device.launch('linearWeightGrad', slices, (n * m * (k + 1)) / 4, {
      parts: device.table(tableOf(xs)),
      count: xs.length,
      dy: dy.buffer.pointer,
      dw: dweight.buffer.pointer,
      db: dbias.buffer.pointer,
      n,
      depth,
      k,
      m,
    });
  },
} satisfies Partial<WasmKernelTable>;
